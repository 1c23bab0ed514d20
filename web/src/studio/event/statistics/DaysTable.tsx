import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { formatCount } from '../../../platform/formats';
import { formatShortDate } from '../../../platform/shortDates';
import { type Day, isBrowsed } from './statistics';

function shareText(percent: number | null | undefined): string {
  if (typeof percent !== 'number') return '–';
  const share = formatCount(percent);
  return t`${share}%`;
}

type Column = [heading: string, text: (day: Day) => string];

/** The numbers of all days, newest first: what the charts show, for who does not see them, and what is too small in them. */
export function DaysTable({ days }: { days: readonly Day[] }) {
  const columns: Column[] = [
    [t`Visits`, (day) => formatCount(day.visits)],
    [t`Face searches`, (day) => formatCount(day.searches)],
    [
      t({ comment: 'column: share of searches', message: 'Found photos' }),
      (day) => shareText(day.found_percent),
    ],
    [t`Guests helped`, (day) => formatCount(day.guests_helped)],
    [t`Photos saved`, (day) => formatCount(day.downloads)],
    [t`Hearts`, (day) => formatCount(day.hearts)],
    ...(isBrowsed(days)
      ? ([[t`All photos opened`, (day) => formatCount(day.browsed)]] satisfies Column[])
      : []),
    [t`Photos uploaded`, (day) => formatCount(day.uploads)],
  ];
  return (
    <Card
      component="section"
      aria-labelledby="days-title"
      tabIndex={0}
      sx={{ p: { xs: 4, md: 6 }, overflowX: 'auto' }}
    >
      <Typography variant="h3" component="h2" id="days-title" sx={{ mb: 4 }}>
        {t`Day by day`}
      </Typography>
      <Box
        component="table"
        aria-labelledby="days-title"
        sx={{
          width: '100%',
          minWidth: 720,
          borderCollapse: 'collapse',
          fontSize: 14,
          fontVariantNumeric: 'tabular-nums',
          '& th, & td': { py: 2.5, pl: 3, textAlign: 'right', fontWeight: 400 },
          '& th:first-of-type': { pl: 0, textAlign: 'left', whiteSpace: 'nowrap' },
          '& thead th': { fontSize: 13, fontWeight: 500, color: 'text.disabled' },
          '& tbody tr': { borderTop: 1, borderColor: 'divider' },
        }}
      >
        <thead>
          <tr>
            <th scope="col">{t`Day`}</th>
            {columns.map(([heading]) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map((day) => (
            <tr key={day.date}>
              <th scope="row">{formatShortDate(day.date)}</th>
              {columns.map(([heading, text]) => (
                <td key={heading}>{text(day)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </Card>
  );
}
