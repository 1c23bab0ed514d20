import { styled } from '@mui/material/styles';
import { container } from '../../shared/theme/tokens';

/** The main column of the searching and results views. */
export const ResultsContainer = styled('main')(({ theme }) => ({
  width: '100%',
  maxWidth: 480,
  minHeight: 'calc(100dvh - 64px)',
  margin: '0 auto',
  padding: '14px 16px 148px',
  [theme.breakpoints.up('sm')]: { maxWidth: container.results },
}));

/** The selfie with the title and subtitle beside it. */
export const ResultsHeader = styled('div')({
  display: 'grid',
  gridTemplateColumns: '64px minmax(0, 1fr)',
  gap: 14,
  alignItems: 'center',
  padding: '4px 4px 16px',
});

export const tileGap = { phone: 6, wide: 8 } as const;
/** Grid rows per column width: more rows keep the aspect ratios more exact. */
export const rowsPerColumnWidth = 64;

/**
 * A masonry layout of two columns that keeps the aspect ratios: each row is a 64th of a column width high, and a photo
 * spans as many rows as it needs. The DOM order is the order of the matches.
 */
export const MasonryGrid = styled('ul')(({ theme }) => ({
  '--gap': `${tileGap.phone}px`,
  '--gap-rows': 2,
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  gridAutoRows: `calc((100cqw - var(--gap)) / ${2 * rowsPerColumnWidth})`,
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
    // The best match spans the whole width, and so does a last one that would be alone in its row.
    '& > li:first-of-type, & > li:nth-of-type(even):last-of-type': {
      gridColumn: '1 / -1',
      gridRowEnd: 'span calc(var(--rows) * 2 + var(--gap-rows))',
    },
  },
  [theme.breakpoints.up('sm')]: { '--gap': `${tileGap.wide}px`, '--gap-rows': 1 },
}));

/** The query container of the grid. */
export const GridContainer = styled('div')({ containerType: 'inline-size' });
