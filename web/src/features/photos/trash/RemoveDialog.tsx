import { plural, t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';

/** Asks before photos of the trash are removed. */
export function RemoveDialog({
  count,
  open,
  busy,
  onCancel,
  onConfirm,
}: {
  count: number;
  open: boolean;
  busy: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}) {
  return (
    <Dialog open={open} onClose={busy ? undefined : onCancel} aria-labelledby="remove-photos-title">
      <DialogTitle id="remove-photos-title">
        {plural(count, { one: 'Delete this photo for good?', other: 'Delete # photos for good?' })}
      </DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mt: 2 }}>
          {t`They cannot be restored afterwards.`}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel} disabled={busy} autoFocus>
          {t`Cancel`}
        </Button>
        <Button variant="contained" color="danger" loading={busy} onClick={onConfirm}>
          {t`Delete`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
