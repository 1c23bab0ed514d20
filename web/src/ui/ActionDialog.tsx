import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { Alert } from './Alert';

/** Asks before something is done, and stays open with what stood in the way. */
export function ActionDialog({
  title,
  text,
  action,
  danger = false,
  busy,
  failure,
  onClose,
  onSubmit,
  children,
}: {
  title: string;
  text: ReactNode;
  /** What the button does, in words. */
  action: string;
  danger?: boolean;
  busy: boolean;
  /** Why it could not be done. */
  failure: string | null;
  onClose: () => void;
  onSubmit: () => void;
  children?: ReactNode;
}) {
  const titleId = useId();
  // What has been sent cannot be taken back: the dialog waits for the answer.
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog open onClose={close} aria-labelledby={titleId}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </DialogTitle>
        <DialogContent>
          <Typography component="div" color="textSecondary" sx={{ mt: 2 }}>
            {text}
          </Typography>
          {children !== undefined && <Box sx={{ display: 'grid', gap: 4, mt: 4 }}>{children}</Box>}
          {failure !== null && (
            <Box sx={{ mt: 4 }}>
              <Alert tone="error">{failure}</Alert>
            </Box>
          )}
        </DialogContent>
        <DialogActions>
          {/* Without fields the safe choice has the focus. */}
          <Button onClick={close} disabled={busy} autoFocus={children === undefined}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="contained" color={danger ? 'danger' : 'ink'} loading={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
