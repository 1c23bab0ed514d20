import { plural, t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';

export function DeletePhotosDialog({
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
    <Dialog open={open} onClose={busy ? undefined : onCancel} aria-labelledby="delete-photos-title">
      <DialogTitle id="delete-photos-title">
        {plural(count, { one: 'Delete this photo?', other: 'Delete # photos?' })}
      </DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mt: 2 }}>
          {plural(count, {
            one: 'It waits in the trash for 7 days, where guests never see it. Its credit does not come back.',
            other:
              'They wait in the trash for 7 days, where guests never see them. Their credits do not come back.',
          })}
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
