import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { formatCount } from '../../../platform/formats';

/** How many of the event's photos the filter shows, and the way to all of them. */
export function FilterSummary({
  found,
  total,
  onShowAll,
}: {
  /** Undefined while they are counted. */
  found: number | undefined;
  total: number;
  onShowAll: () => void;
}) {
  const all = formatCount(total);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, mt: -2, mb: 2 }}>
      <Box role="status" sx={{ fontSize: 14, color: 'text.secondary', minHeight: 20 }}>
        {found !== undefined &&
          (found === 0
            ? t`No photo is like that.`
            : plural(found, { one: `# of ${all} photos`, other: `# of ${all} photos` }))}
      </Box>
      <Button size="small" onClick={onShowAll}>
        {t`Show all photos`}
      </Button>
    </Box>
  );
}
