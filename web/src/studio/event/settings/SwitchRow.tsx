import Switch from '@mui/material/Switch';
import { useId } from 'react';
import { SettingRow } from '../../../ui/SettingRow';
import type { EventChanges } from '../../shared/events/editing/changeEvent';
import { useSaveSetting } from '../../shared/events/editing/useSaveSetting';

/** A setting that is on or off. While a change is saved it shows what was chosen. */
export function SwitchRow({
  title,
  hint,
  checked,
  change,
}: {
  title: string;
  hint?: string;
  checked: boolean;
  change: (value: boolean) => EventChanges;
}) {
  const { change: saving, save } = useSaveSetting();
  const [titleId, hintId] = [useId(), useId()];
  return (
    <SettingRow title={title} titleId={titleId} {...(hint !== undefined && { hint, hintId })}>
      <Switch
        checked={saving.isPending ? !checked : checked}
        disabled={saving.isPending}
        slotProps={{
          input: { 'aria-labelledby': titleId, ...(hint !== undefined && { 'aria-describedby': hintId }) },
        }}
        onChange={(_, value) => save(change(value), change(!value))}
      />
    </SettingRow>
  );
}
