import Box from '@mui/material/Box';
import type { Theme } from '@mui/material/styles';
import type { ReactNode, RefObject } from 'react';
import { visuallyHiddenStyle } from './visuallyHiddenStyle';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers and buttons stand at the end of their column. */
  end?: boolean;
  /** On phones the cell has a line of its own. */
  wide?: boolean;
  /** The same, and the header is only read aloud. */
  quiet?: boolean;
  /** Left out of a card whose row has nothing to say here. */
  empty?: (row: Row) => boolean;
}

// Roles are named, since browsers forget those of a table that is laid out otherwise.
const tableStyle = (theme: Theme) => ({
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: 14,
  lineHeight: 1.45,
  fontVariantNumeric: 'tabular-nums',
  '& th': {
    px: 2.5,
    pb: 2,
    textAlign: 'left',
    fontSize: 13,
    fontWeight: 500,
    whiteSpace: 'nowrap',
    color: 'text.disabled',
  },
  '& td': { px: 2.5, py: 2, verticalAlign: 'middle', color: 'text.secondary', overflowWrap: 'anywhere' },
  '& th:first-of-type, & td:first-of-type': { pl: 0 },
  '& th:last-of-type, & td:last-of-type': { pr: 0 },
  '& td:first-of-type': { color: 'text.primary', fontWeight: 600, minWidth: 160 },
  '& .end': { textAlign: 'right', whiteSpace: 'nowrap' },
  '& tbody tr': { borderTop: 1, borderColor: 'divider', outlineOffset: '4px' },
  '& .label': { display: 'none' },
  [theme.breakpoints.down('md')]: {
    '&, & tbody': { display: 'block' },
    '& thead': { ...visuallyHiddenStyle, display: 'block' },
    '& tbody tr': {
      display: 'grid',
      gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
      alignItems: 'start',
      columnGap: 3,
      rowGap: 2.5,
      py: 4,
    },
    '& tbody tr:first-of-type': { borderTop: 0, pt: 1 },
    '& tbody tr:last-of-type': { pb: 1 },
    '& td, & td.end': { display: 'block', p: 0, textAlign: 'left' },
    '& td:first-of-type, & td.wide, & td.quiet': { gridColumn: '1 / -1' },
    '& td:first-of-type': { fontSize: 16 },
    '& td.empty': { display: 'none' },
    '& .label': { display: 'block', fontSize: 13, color: 'text.disabled' },
    '& td.quiet .label, & td:first-of-type .label': { display: 'none' },
  },
});

/** Rows under their headers; on phones each row is a card. The first column names the row. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  busy = false,
  list,
}: {
  label: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** What is shown belongs to the question before. */
  busy?: boolean;
  /** The body, whose rows can take the focus. */
  list?: RefObject<HTMLTableSectionElement | null>;
}) {
  const classOf = ({ end, wide, quiet, empty }: Column<Row>, row?: Row) =>
    [end && 'end', wide && 'wide', quiet && 'quiet', row !== undefined && empty?.(row) && 'empty']
      .filter(Boolean)
      .join(' ');
  return (
    <Box
      component="table"
      role="table"
      aria-label={label}
      aria-busy={busy}
      sx={[tableStyle, busy && { opacity: 0.6 }]}
    >
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.header} role="columnheader" scope="col" className={classOf(column)}>
              <Box component="span" sx={column.quiet === true ? visuallyHiddenStyle : {}}>
                {column.header}
              </Box>
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={list}>
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row" tabIndex={-1}>
            {columns.map((column) => (
              <td key={column.header} role="cell" className={classOf(column, row)}>
                <span className="label" aria-hidden="true">
                  {column.header}
                </span>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Box>
  );
}
