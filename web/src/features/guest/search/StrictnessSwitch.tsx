import { t } from '@lingui/core/macro';
import type { Strictness } from './search';
import styles from './StrictnessSwitch.module.css';

const steps = (): { strictness: Strictness; label: string }[] => [
  { strictness: 'strict', label: t`Show fewer` },
  { strictness: 'normal', label: t`Normal` },
  { strictness: 'loose', label: t`Show more` },
];

/** The strictness of the search, presented as the number of photos it shows. */
export function StrictnessSwitch({
  value,
  onChange,
}: {
  value: Strictness;
  onChange: (strictness: Strictness) => void;
}) {
  return (
    <div className={styles['group']} role="group" aria-label={t`Show more / fewer photos`}>
      {steps().map(({ strictness, label }) => (
        <button
          key={strictness}
          type="button"
          aria-pressed={value === strictness}
          onClick={() => {
            if (value !== strictness) onChange(strictness);
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
