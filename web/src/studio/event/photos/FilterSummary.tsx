import { plural, t } from '@lingui/core/macro';
import { formatCount } from '../../../platform/formats';
import { GridSummary } from './GridSummary';

function foundText(found: number, total: number): string {
  const all = formatCount(total);
  return found === 0
    ? t`No photo is like that.`
    : plural(found, { one: `# of ${all} photos`, other: `# of ${all} photos` });
}

/** How many of the event's photos the filter shows, and the way to all of them. */
export const FilterSummary = ({
  found,
  total,
  onShowAll,
}: {
  /** Undefined while they are counted. */
  found: number | undefined;
  total: number;
  onShowAll: () => void;
}) => (
  <GridSummary
    text={found === undefined ? '' : foundText(found, total)}
    action={t`Show all photos`}
    onAction={onShowAll}
  />
);
