import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Icon } from '../../ui/Icon';

const displayDuration = 3000;

/** A message that is cleared after 3 s. */
export function useSavedMessage() {
  const [message, setMessage] = useState<string | null>(null);
  useEffect(() => {
    if (message === null) return undefined;
    const timer = setTimeout(() => setMessage(null), displayDuration);
    return () => clearTimeout(timer);
  }, [message]);
  return [message, setMessage] as const;
}

/** A setting with its current value and a form that can be toggled. */
export function SettingCard({
  title,
  value,
  note,
  toggleLabel,
  editing,
  saved,
  onToggle,
  below,
  children,
}: {
  title: string;
  value?: ReactNode;
  /** What there is to say about the value, on lines of its own. */
  note?: ReactNode;
  /** Null while there is nothing to take back. */
  toggleLabel: string | null;
  editing: boolean;
  saved: string | null;
  onToggle: () => void;
  /** What is still to be done, while the form is closed. */
  below?: ReactNode;
  children: ReactNode;
}) {
  const titleId = useId();
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ p: { xs: 4, sm: '24px 28px' } }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 4 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="h3" component="h2" id={titleId}>
            {title}
          </Typography>
          {value !== undefined && (
            <Typography component="div" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {value}
            </Typography>
          )}
        </Box>
        {toggleLabel !== null && (
          <Button variant={editing ? 'text' : 'outlined'} aria-expanded={editing} onClick={onToggle}>
            {editing ? t`Cancel` : toggleLabel}
          </Button>
        )}
      </Box>
      {note !== undefined && (
        <Typography component="div" color="textSecondary" sx={{ mt: 1, overflowWrap: 'anywhere' }}>
          {note}
        </Typography>
      )}
      <Box role="status" sx={{ fontSize: 15, fontWeight: 600, color: 'success.main' }}>
        {saved !== null && (
          <Box component="span" sx={{ display: 'flex', gap: 1.5, alignItems: 'center', mt: 1 }}>
            <Icon name="check" size={16} />
            <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {saved}
            </Box>
          </Box>
        )}
      </Box>
      {below}
      {editing && children}
    </Card>
  );
}

export function SettingForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      sx={{ display: 'grid', gap: 4.5, mt: 5, justifyItems: 'start', '& > div': { width: '100%' } }}
    >
      {children}
    </Box>
  );
}
