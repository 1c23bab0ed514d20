import { t } from '@lingui/core/macro';
import { Choice } from '../../../ui/Choice';

/** What is chosen where nobody chooses. */
export const usualLifetime = '365';

/** The days of a choice; null for one without an end. */
export const daysOf = (choice: string): number | null => (choice === '' ? null : Number(choice));

/** For how long something is good that outlives a session. `endless` says until when it is good that does not end by itself. */
export function LifetimeChoice({
  value,
  endless,
  onChange,
}: {
  value: string;
  endless: string;
  onChange: (value: string) => void;
}) {
  return (
    <Choice label={t`Good for`} value={value} onChange={onChange}>
      <option value="7">{t`7 days`}</option>
      <option value="30">{t`30 days`}</option>
      <option value="365">{t`365 days`}</option>
      <option value="">{endless}</option>
    </Choice>
  );
}
