import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { EmptyState } from '../../../shared/components/EmptyState';
import { switchPeople } from './api';
import { useChange } from './useChange';

const useSwitch = (eventId: string, onDone?: () => void) =>
  useChange<boolean>(eventId, {
    change: (enabled) => switchPeople(eventId, enabled),
    doneText: (enabled) => (enabled ? t`People are switched on.` : t`People are switched off.`),
    failedText: () => t`The setting could not be saved. Please try again.`,
    ...(onDone !== undefined && { onDone }),
  });

/** Shown of an event whose faces are not put together. */
export function PeopleOff({ eventId }: { eventId: string }) {
  const change = useSwitch(eventId);
  return (
    <Card>
      <EmptyState
        title={t`People are switched off`}
        description={t`The faces of this event are not put together.`}
      >
        <Button variant="contained" loading={change.isPending} onClick={() => change.mutate(true)}>
          {t`Switch on`}
        </Button>
      </EmptyState>
    </Card>
  );
}

/** Says who sees people, and deletes them on request. */
export function PeopleSwitch({ eventId }: { eventId: string }) {
  const [open, setOpen] = useState(false);
  const change = useSwitch(eventId, () => setOpen(false));
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        mt: 10,
        pt: 5,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 280px' }}>
        {t`Faces that are alike are put together here for you alone: guests see nothing of it. It is deleted with the photos, or when you switch it off.`}
      </Typography>
      <Button size="small" variant="outlined" onClick={() => setOpen(true)}>
        {t`Switch off`}
      </Button>
      <Dialog
        open={open}
        onClose={change.isPending ? undefined : () => setOpen(false)}
        aria-labelledby="people-off-title"
      >
        <DialogTitle id="people-off-title">{t`Switch people off for this event?`}</DialogTitle>
        <DialogContent>
          <Typography color="textSecondary" sx={{ mt: 2 }}>
            {t`Who was put together, merged, split and hidden is deleted for good. The photos stay, and guests find theirs as before.`}
          </Typography>
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)} disabled={change.isPending} autoFocus>
            {t`Cancel`}
          </Button>
          <Button
            variant="contained"
            color="danger"
            loading={change.isPending}
            onClick={() => change.mutate(false)}
          >
            {t`Switch off`}
          </Button>
        </DialogActions>
      </Dialog>
    </Box>
  );
}
