import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { Icon } from '../../shared/components/Icon';
import { useSnackbarOffset } from '../../shared/components/useSnackbarOffset';
import { formatCount } from '../../shared/formats';

const Bar = styled('section')(({ theme }) => ({
  position: 'fixed',
  left: '50%',
  bottom: 0,
  zIndex: theme.zIndex.appBar - 1,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '8px 16px',
  width: '100%',
  padding: '10px 16px max(10px, env(safe-area-inset-bottom))',
  transform: 'translateX(-50%)',
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.raised,
  boxShadow: theme.vars.palette.shadow.dialog,
  [theme.breakpoints.up('md')]: {
    bottom: 24,
    width: 'max-content',
    maxWidth: 'calc(100% - 64px)',
    padding: '10px 10px 10px 20px',
    borderRadius: 20,
  },
}));

const countText = (count: number) =>
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
  useSnackbarOffset(hidden > 0 ? 148 : 124, 108);
  return (
    <Bar aria-label={t`Selection`}>
      <Box role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
          {selectingAll ? t`Selecting all photos…` : countText(count)}
        </Box>
        {hidden > 0 && (
          <Box component="span" sx={{ display: 'block', fontSize: 13, color: 'text.secondary' }}>
            {hiddenText(hidden)}
          </Box>
        )}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
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
      </Box>
    </Bar>
  );
}
