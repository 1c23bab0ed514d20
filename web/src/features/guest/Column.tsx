import { styled } from '@mui/material/styles';
import { container } from '../../shared/theme/tokens';

/** The column of the searching and the results view. */
export const Column = styled('main')(({ theme }) => ({
  width: '100%',
  maxWidth: 480,
  minHeight: 'calc(100dvh - 64px)',
  margin: '0 auto',
  padding: '14px 16px 148px',
  [theme.breakpoints.up('sm')]: { maxWidth: container.results },
}));

/** The selfie at the left, title and line beside it. */
export const ColumnHead = styled('div')({
  display: 'grid',
  gridTemplateColumns: '64px minmax(0, 1fr)',
  gap: 14,
  alignItems: 'center',
  padding: '4px 4px 16px',
});

export const tileGap = { phone: 6, wide: 8 } as const;
/** Rows of the grid per column width: the finer, the truer the shape of a photo. */
export const tileRows = 64;

/**
 * Two columns in which every photo keeps its shape: rows as high as a 64th of a column, as many of them
 * for a photo as it needs. The order of the page stays the order of the matches.
 */
export const TileGrid = styled('ul')(({ theme }) => ({
  '--gap': `${tileGap.phone}px`,
  '--gap-rows': 2,
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  gridAutoRows: `calc((100cqw - var(--gap)) / ${2 * tileRows})`,
  columnGap: 'var(--gap)',
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& > li': {
    position: 'relative',
    minWidth: 0,
    gridRowEnd: 'span calc(var(--rows) + var(--gap-rows))',
    paddingBottom: 'var(--gap)',
  },
  [theme.breakpoints.down('sm')]: {
    // The best match leads over the whole width.
    // So does a last one that would stand alone in its row.
    '& > li:first-of-type, & > li:nth-of-type(even):last-of-type': {
      gridColumn: '1 / -1',
      gridRowEnd: 'span calc(var(--rows) * 2 + var(--gap-rows))',
    },
  },
  [theme.breakpoints.up('sm')]: { '--gap': `${tileGap.wide}px`, '--gap-rows': 1 },
}));

/** What the grid measures itself against. */
export const GridFrame = styled('div')({ containerType: 'inline-size' });
