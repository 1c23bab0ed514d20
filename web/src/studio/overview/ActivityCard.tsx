import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { DayBars, dayBarsHeight } from '../../ui/charts/DayBars';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { formatCount } from '../../platform/formats';
import { formatShortDate } from '../../platform/shortDates';
import { busiestDay, type Day, lastDays, totalOf } from './activity';

type Metric = 'uploads' | 'searches';

const labels: Record<Metric, () => string> = {
  uploads: () => t({ comment: 'after their number', message: 'photos uploaded' }),
  searches: () => t({ comment: 'after their number', message: 'face searches' }),
};

function summaryOf(days: readonly Day[], metric: Metric): string {
  const total = totalOf(days, metric);
  const best = busiestDay(days, metric);
  if (best === undefined)
    return metric === 'uploads'
      ? plural(total, {
          one: '# photos uploaded in the last 30 days.',
          other: '# photos uploaded in the last 30 days.',
        })
      : plural(total, {
          one: '# face searches in the last 30 days.',
          other: '# face searches in the last 30 days.',
        });
  const date = formatShortDate(best.date);
  const most = formatCount(best[metric]);
  return metric === 'uploads'
    ? plural(total, {
        one: `# photos uploaded in the last 30 days, most on ${date}: ${most}.`,
        other: `# photos uploaded in the last 30 days, most on ${date}: ${most}.`,
      })
    : plural(total, {
        one: `# face searches in the last 30 days, most on ${date}: ${most}.`,
        other: `# face searches in the last 30 days, most on ${date}: ${most}.`,
      });
}

/** A bar chart of the days. Each metric has its own scale: uploads are far more frequent than searches. */
function Bars({ days, metric }: { days: readonly Day[]; metric: Metric }) {
  return (
    <DayBars
      label={labels[metric]()}
      total={totalOf(days, metric)}
      summary={summaryOf(days, metric)}
      days={days.map((day) => ({ date: day.date, value: day[metric] }))}
      lastDay={t`Today`}
      lit={metric === 'searches'}
    />
  );
}

function DaysTable({ days }: { days: readonly Day[] }) {
  return (
    <VisuallyHidden as="div">
      <table>
        <caption>{t`Uploads and searches by day`}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Day`}</th>
            <th scope="col">{t`Photos uploaded`}</th>
            <th scope="col">{t`Face searches`}</th>
          </tr>
        </thead>
        <tbody>
          {days
            .filter(({ uploads, searches }) => uploads + searches > 0)
            .map(({ date, uploads, searches }) => (
              <tr key={date}>
                <th scope="row">{formatShortDate(date)}</th>
                <td>{formatCount(uploads)}</td>
                <td>{formatCount(searches)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}

/** Uploads and searches of the last 30 days; `activeDays` has only days with activity, undefined while loading. */
export function ActivityCard({ activeDays, now }: { activeDays: readonly Day[] | undefined; now: number }) {
  const days = lastDays(activeDays ?? [], now);
  return (
    <Card component="section" aria-labelledby="activity-title" sx={{ p: { xs: 4, md: 6 } }}>
      <Typography variant="h3" component="h2" id="activity-title" sx={{ mb: 4 }}>
        {t`Last 30 days`}
      </Typography>
      {activeDays === undefined ? (
        <Skeleton height={dayBarsHeight} />
      ) : (
        <>
          <Box
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
              gap: { xs: 5, sm: 8 },
            }}
          >
            <Bars days={days} metric="uploads" />
            <Bars days={days} metric="searches" />
          </Box>
          <DaysTable days={days} />
        </>
      )}
    </Card>
  );
}
