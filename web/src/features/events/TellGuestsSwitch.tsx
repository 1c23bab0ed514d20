import { t } from '@lingui/core/macro';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../shared/api/errors';
import type { Event } from '../../shared/api/types';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { eventsKey } from '../../shared/events/queries';
import { tellGuests } from './api';

/** Whether the guests of an event may ask to be told of new photos. While a change is saved it shows what was chosen. */
export function TellGuestsSwitch({ event }: { event: Event }) {
  const client = useQueryClient();
  const show = useSnackbar();
  const change = useMutation({
    mutationFn: (allowed: boolean) => tellGuests(event.id, allowed),
    onSuccess: ({ tells_guests }) =>
      client.setQueriesData<Event[]>({ queryKey: eventsKey }, (events) =>
        events?.map((each) => (each.id === event.id ? { ...each, tells_guests } : each)),
      ),
    onError: (error) =>
      show({
        tone: 'error',
        text: errorMessage(error, t`The setting could not be saved. Please try again.`),
      }),
  });
  return (
    <FormControlLabel
      sx={{ mt: 2, '& .MuiFormControlLabel-label': { fontSize: 14 } }}
      control={
        <Switch
          size="small"
          checked={change.isPending ? change.variables : event.tells_guests === 'on'}
          disabled={change.isPending}
          onChange={(_, allowed) => change.mutate(allowed)}
        />
      }
      label={t`Tell guests about new photos by e-mail`}
    />
  );
}
