import { plural, t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { Event } from '../../platform/api/types';

export function DeleteEventDialog({
  event,
  open,
  busy,
  onCancel,
  onConfirm,
}: {
  event: Event;
  open: boolean;
  busy: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}) {
  const titleId = useId();
  const photos = event.total_photos_uploaded;
  return (
    <Dialog open={open} onClose={onCancel} aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {t`Delete ${{ name: event.name }}?`}
      </DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mt: 2 }}>
          {photos === 0
            ? t`Its link stops working.`
            : plural(photos, {
                one: 'Its link stops working, and # photo goes with it.',
                other: 'Its link stops working, and # photos go with it.',
              })}{' '}
          {t`Deletion may take up to 60 seconds.`} {t`You can restore it on the overview for 7 days.`}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel} autoFocus>
          {t`Cancel`}
        </Button>
        <Button variant="contained" color="danger" loading={busy} onClick={onConfirm}>
          {t`Delete event`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
