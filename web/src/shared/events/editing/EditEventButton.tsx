import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '../../components/Icon';
import { useSession } from '../../session/session';
import { EditEventDialog } from './EditEventDialog';
import { eventQuery } from '../queries';

/** Opens the dialog in which an event is changed, once it is loaded. */
export function EditEventButton({ id }: { id: string }) {
  const { data: event } = useQuery(eventQuery(useSession(), id));
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Icon name="edit" />}
        disabled={event?.deleting !== false}
        onClick={() => setOpen(true)}
      >
        {t`Edit`}
      </Button>
      {event !== undefined && event !== null && (
        <EditEventDialog event={event} open={open} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
