import { t } from '@lingui/core/macro';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../shared/api/errors';
import type { Event } from '../../shared/api/types';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { changeEvents } from '../../shared/events/eventPages';

interface Props {
  event: Event;
  label: string;
  checked: boolean;
  save: (id: string, value: boolean) => Promise<Event>;
  /** What of the saved event the list takes over: another setting may be on its way. */
  saved: (event: Event) => Partial<Event>;
}

/** A setting of an event. While a change is saved it shows what was chosen. */
export function EventSwitch({ event, label, checked, save, saved }: Props) {
  const client = useQueryClient();
  const show = useSnackbar();
  const change = useMutation({
    mutationFn: (value: boolean) => save(event.id, value),
    onSuccess: (changed) =>
      changeEvents(client, (events) =>
        events.map((each) => (each.id === event.id ? { ...each, ...saved(changed) } : each)),
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
          checked={change.isPending ? change.variables : checked}
          disabled={change.isPending}
          onChange={(_, value) => change.mutate(value)}
        />
      }
      label={label}
    />
  );
}
