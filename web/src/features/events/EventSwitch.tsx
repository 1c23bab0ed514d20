import { t } from '@lingui/core/macro';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { errorMessage } from '../../shared/api/errors';
import type { Event } from '../../shared/api/types';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { type EventChanges, useChangeEvent } from '../../shared/events/editing/changeEvent';

interface Props {
  event: Event;
  label: string;
  checked: boolean;
  change: (value: boolean) => EventChanges;
  /** What of the saved event the list takes over: another setting may be on its way. */
  saved: (event: Event) => Partial<Event>;
  /** Whether the switch is on by a change that is on its way. */
  chosen: (changes: EventChanges) => boolean;
}

/** A setting of an event. While a change is saved it shows what was chosen. */
export function EventSwitch({ event, label, checked, change, saved, chosen }: Props) {
  const show = useSnackbar();
  const saving = useChangeEvent(
    event.id,
    {
      onError: (error) =>
        show({
          tone: 'error',
          text: errorMessage(error, t`The setting could not be saved. Please try again.`),
        }),
    },
    saved,
  );
  return (
    <FormControlLabel
      sx={{ mt: 2, '& .MuiFormControlLabel-label': { fontSize: 14 } }}
      control={
        <Switch
          size="small"
          checked={saving.isPending ? chosen(saving.variables) : checked}
          disabled={saving.isPending}
          onChange={(_, value) => saving.mutate(change(value))}
        />
      }
      label={label}
    />
  );
}
