import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '../../../ui/Icon';
import { visuallyHiddenStyle } from '../../../ui/visuallyHiddenStyle';
import { useWorkspace } from '../../shared/events/workspace/context';

/** A cross on a phone. */
function ClearButton({ onClear }: { onClear: () => void }) {
  const text = t`Clear selection`;
  return (
    <Button size="small" aria-label={text} onClick={onClear} sx={{ minWidth: { xs: 44, sm: 64 } }}>
      <Box component="span" sx={{ display: { xs: 'flex', sm: 'none' } }}>
        <Icon name="close" />
      </Box>
      <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
        {text}
      </Box>
    </Button>
  );
}

/** What is selected and, as `children`, what can be done with it: in the place of the event's header, always in sight. */
export function SelectionFrame({
  text,
  note = '',
  more,
  onClear,
  children,
}: {
  text: string;
  note?: string;
  /** What selects more, beside the button that clears the selection. */
  more?: ReactNode;
  onClear?: () => void;
  children: ReactNode;
}) {
  const { event, selectionSlot, setSelecting } = useWorkspace();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    setSelecting(true);
    return () => setSelecting(false);
  }, [setSelecting]);
  // The button that began it is in the header's tools no more.
  useEffect(() => {
    if (document.activeElement === document.body) bar.current?.focus({ preventScroll: true });
  }, [selectionSlot]);
  if (selectionSlot === null) return null;
  return createPortal(
    <Box
      component="section"
      ref={bar}
      tabIndex={-1}
      aria-label={t`Selection`}
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        outline: 'none',
        color: theme.vars.palette.text.primary,
        backgroundColor: theme.vars.palette.raised,
        borderBottom: `2px solid ${theme.vars.palette.primary.main}`,
      })}
    >
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: { xs: '8px 8px', sm: '8px 16px' },
          width: '100%',
          maxWidth: 1216,
          mx: 'auto',
          px: { xs: 4, md: 8 },
          py: 2,
        }}
      >
        {/* That of the header is hidden meanwhile. */}
        <Box component="h1" sx={visuallyHiddenStyle}>
          {event.name}
        </Box>
        <Box role="status" sx={{ flex: 1, minWidth: 0, fontVariantNumeric: 'tabular-nums' }}>
          <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
            {text}
          </Box>
          {note !== '' && (
            <Box component="span" sx={{ display: 'block', fontSize: 13, color: 'text.secondary' }}>
              {note}
            </Box>
          )}
        </Box>
        {onClear !== undefined && (
          <Box sx={{ display: 'flex', flex: 'none', gap: 2 }}>
            {more}
            <ClearButton onClear={onClear} />
          </Box>
        )}
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            gap: 2,
            // A row of its own on a phone, where icons beside the texts would make another.
            flex: { xs: '1 0 100%', sm: 'none' },
            '& > *': { flex: { xs: '1 0 auto', sm: 'none' } },
            '& .MuiButton-startIcon': { display: { xs: 'none', sm: 'inherit' } },
          }}
        >
          {children}
        </Box>
      </Box>
    </Box>,
    selectionSlot,
  );
}
