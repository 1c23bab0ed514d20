import { plural, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Choice } from '../../../../ui/Choice';
import { siteQuery } from '../site';

const named: Partial<Record<number, () => string>> = {
  0: () => t`Until I delete them`,
  90: () => t`3 months`,
  180: () => t`6 months`,
  365: () => t`1 year`,
};

/** For how long an event's photos are kept, in words; 0 days are for ever. */
export const keptText = (days: number): string =>
  named[days]?.() ?? plural(days, { one: '# day', other: '# days' });

/** What can be chosen here, shortest first, and what counts where nothing is; no options while they are not known. */
export function useKeeping(): {
  options: readonly number[];
  ownDays: number | undefined;
  isPending: boolean;
} {
  const { data, isPending } = useQuery(siteQuery);
  return { options: data?.retention_options ?? [], ownDays: data?.retention_days, isPending };
}

/** Chooses for how long an event's photos are kept. `value` may be a period that is offered no longer. */
export function KeepChoice({
  value,
  options,
  onChange,
  help,
  autoFocus = false,
}: {
  value: number | undefined;
  options: readonly number[];
  onChange: (days: number) => void;
  help?: string;
  autoFocus?: boolean;
}) {
  const shown = value === undefined || options.includes(value) ? options : [value, ...options];
  return (
    <Choice
      label={t`Keep photos for`}
      value={value === undefined ? '' : String(value)}
      onChange={(chosen) => onChange(Number(chosen))}
      disabled={shown.length === 0}
      autoFocus={autoFocus}
      {...(help !== undefined && { help })}
    >
      {shown.map((days) => (
        <option key={days} value={days}>
          {keptText(days)}
        </option>
      ))}
    </Choice>
  );
}
