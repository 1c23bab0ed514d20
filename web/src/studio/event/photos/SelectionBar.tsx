import { plural, t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { Icon } from '../../../ui/Icon';
import { formatCount } from '../../../platform/formats';
import { SelectionFrame } from './SelectionFrame';

export const countText = (count: number) =>
  count === 0 ? t`Select photos` : plural(count, { one: '# photo selected', other: '# photos selected' });

/** While photos are still being loaded in order to select them. */
const loadingText = (loaded: number, total: number) =>
  t`Selecting all photos: ${{ loaded: formatCount(loaded) }} of ${{ total: formatCount(total) }}`;

const hiddenText = (count: number) =>
  plural(count, { one: '# more is hidden by the filter.', other: '# more are hidden by the filter.' });

/** The number of photos selected and what can be done with them, always in sight. */
export function SelectionBar({
  count,
  hidden,
  total,
  loaded,
  selectingAll,
  onSelectAll,
  onStop,
  onClear,
  onAddToAlbum,
  onTakeOut,
  takingOut,
  onNames,
  downloading,
  onDownload,
  onDownloadAll,
  onDelete,
}: {
  count: number;
  /** Photos that are selected, but hidden by the filter. */
  hidden: number;
  /** Photos that could be selected. */
  total: number;
  /** Those of them that are loaded. */
  loaded: number;
  /** All photos are being loaded in order to select them. */
  selectingAll: boolean;
  onSelectAll: () => void;
  /** No more photos are to be loaded; what was selected before stays. */
  onStop: () => void;
  onClear: () => void;
  /** Null for whoever has no albums. */
  onAddToAlbum: (() => void) | null;
  /** Out of the album that is shown; null where none is. */
  onTakeOut: (() => void) | null;
  takingOut: boolean;
  /** Lists the names of their files. */
  onNames: () => void;
  /** Their ZIP is being prepared. */
  downloading: boolean;
  onDownload: () => void;
  /** Of what is shown, while nothing is selected; null where a filter shows some of it. */
  onDownloadAll: (() => void) | null;
  onDelete: () => void;
}) {
  return (
    <SelectionFrame
      text={selectingAll ? loadingText(loaded, total) : countText(count)}
      note={hidden > 0 ? hiddenText(hidden) : ''}
      more={
        (count < total || selectingAll) && (
          // One button, so that the focus stays.
          <Button size="small" onClick={selectingAll ? onStop : onSelectAll}>
            {selectingAll ? t`Cancel` : t`Select all`}
          </Button>
        )
      }
      onClear={onClear}
    >
      {onAddToAlbum !== null && (
        <Button size="small" variant="outlined" disabled={count === 0 || selectingAll} onClick={onAddToAlbum}>
          {t`Add to album`}
        </Button>
      )}
      {onTakeOut !== null && (
        <Button
          size="small"
          variant="outlined"
          loading={takingOut}
          disabled={count === 0 || selectingAll}
          onClick={onTakeOut}
        >
          {t`Remove from album`}
        </Button>
      )}
      <Button
        size="small"
        variant="outlined"
        disabled={count === 0 || selectingAll}
        onClick={onNames}
        // The program that has the originals runs on a computer, and a phone has no room for a fifth button.
        sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
      >{t`File names`}</Button>
      <Button
        size="small"
        variant="outlined"
        startIcon={<Icon name="download" />}
        loading={downloading}
        disabled={selectingAll || (count === 0 && onDownloadAll === null)}
        onClick={count === 0 ? (onDownloadAll ?? undefined) : onDownload}
      >
        {count === 0 && onDownloadAll !== null ? t`Download all` : t`Download`}
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
