import { plural, t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { Icon } from '../../shared/components/Icon';
import { formatCount } from '../../shared/formats';
import { SelectionFrame } from './SelectionFrame';

export const countText = (count: number) =>
  count === 0 ? t`Select photos` : plural(count, { one: '# photo selected', other: '# photos selected' });

const hiddenText = (count: number) =>
  plural(count, { one: '# more is hidden by the filter.', other: '# more are hidden by the filter.' });

/** The number of photos selected and what can be done with them, always in sight. */
export function SelectionBar({
  count,
  hidden,
  total,
  selectingAll,
  onSelectAll,
  onClear,
  onDelete,
}: {
  count: number;
  /** Photos that are selected, but hidden by the filter. */
  hidden: number;
  /** Photos that could be selected. */
  total: number;
  /** All photos are being loaded in order to select them. */
  selectingAll: boolean;
  onSelectAll: () => void;
  onClear: () => void;
  onDelete: () => void;
}) {
  return (
    <SelectionFrame
      text={selectingAll ? t`Selecting all photos…` : countText(count)}
      note={hidden > 0 ? hiddenText(hidden) : ''}
    >
      {count < total && (
        <Button size="small" loading={selectingAll} onClick={onSelectAll}>
          {t`Select all`}
        </Button>
      )}
      <Button size="small" onClick={onClear}>
        {t`Clear selection`}
      </Button>
      <Button
        size="small"
        variant="contained"
        color="danger"
        startIcon={<Icon name="trash" />}
        disabled={count === 0}
        onClick={onDelete}
      >
        {count === 0 ? t`Delete` : t`Delete ${{ count: formatCount(count) }}`}
      </Button>
    </SelectionFrame>
  );
}
