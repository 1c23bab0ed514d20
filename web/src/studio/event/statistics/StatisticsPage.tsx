import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Statistics } from '../../../platform/api/types';
import { DayBars, dayBarsHeight } from '../../../ui/charts/DayBars';
import { Alert } from '../../../ui/Alert';
import { EmptyState } from '../../../ui/EmptyState';
import { saveBlob } from '../../../ui/saveFile';
import { StatCard } from '../../../ui/StatCard';
import { useSnackbar } from '../../../ui/useSnackbar';
import { statisticsFailedText, statisticsQuery } from '../../shared/events/workspace/statistics';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { formatCount } from '../../../platform/formats';
import { formatShortDate } from '../../../platform/shortDates';
import { AccuracyFigure } from './AccuracyFigure';
import { DaysTable } from './DaysTable';
import { type Day, fetchStatisticsFile, isBrowsed, isUnvisited, valuesOf } from './statistics';

const fourColumns = {
  display: 'grid',
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
  gap: { xs: 3, md: 4 },
};

function foundText({ found_percent: percent }: Statistics['totals']): string {
  if (typeof percent !== 'number') return t`no result was counted yet`;
  const share = formatCount(percent);
  return t`${share}% of them found photos`;
}

function Figures({ totals }: { totals: Statistics['totals'] | undefined }) {
  const figureOf = (count: number | undefined) => (count === undefined ? undefined : formatCount(count));
  return (
    <Box sx={fourColumns}>
      <StatCard
        label={t`Visits`}
        figure={figureOf(totals?.visits)}
        caption={t`openings of the event's page`}
        highlighted
      />
      <StatCard
        label={t`Face searches`}
        figure={figureOf(totals?.searches)}
        caption={totals === undefined ? '' : foundText(totals)}
      />
      <StatCard
        label={t`Guests helped`}
        figure={figureOf(totals?.guests_helped)}
        caption={t`devices that found photos`}
      />
      <StatCard
        label={t`Photos saved`}
        figure={figureOf(totals?.downloads)}
        caption={t`one by one or in a ZIP`}
      />
    </Box>
  );
}

/** The chart in a sentence. */
function summaryOf(total: number, label: string, days: readonly { date: string; value: number }[]): string {
  const best = days.reduce((most, day) => (day.value > most.value ? day : most), { date: '', value: 0 });
  const counted = `${formatCount(total)} ${label}`;
  const date = formatShortDate(best.date);
  const most = formatCount(best.value);
  return best.value === 0
    ? t`${counted} in these days.`
    : t`${counted} in these days, most on ${date}: ${most}.`;
}

type Chart = [label: string, valueOf: (day: Day) => number, lit: boolean];

function Charts({ days }: { days: readonly Day[] }) {
  const charts: Chart[] = [
    [t({ comment: 'after their number', message: 'visits' }), ({ visits }) => visits, false],
    [t({ comment: 'after their number', message: 'face searches' }), ({ searches }) => searches, true],
    [
      t({ comment: 'after their number', message: 'guests helped' }),
      ({ guests_helped }) => guests_helped,
      true,
    ],
    [t({ comment: 'after their number', message: 'photos saved' }), ({ downloads }) => downloads, false],
    [t({ comment: 'after their number', message: 'hearts' }), ({ hearts }) => hearts, false],
    ...(isBrowsed(days)
      ? ([
          [
            t({ comment: 'after their number', message: 'looks at all photos' }),
            ({ browsed }) => browsed,
            false,
          ],
        ] satisfies Chart[])
      : []),
  ];
  return (
    <Card component="section" aria-labelledby="charts-title" sx={{ p: { xs: 4, md: 6 } }}>
      <Typography variant="h3" component="h2" id="charts-title" sx={{ mb: 4 }}>
        {t`By day`}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
          gap: { xs: 5, sm: 8 },
        }}
      >
        {charts.map(([label, valueOf, lit]) => {
          const values = valuesOf(days, valueOf);
          const total = values.reduce((sum, { value }) => sum + value, 0);
          return (
            <DayBars
              key={label}
              label={label}
              total={total}
              summary={summaryOf(total, label, values)}
              days={values}
              lastDay={formatShortDate(values.at(-1)?.date ?? '')}
              lit={lit}
            />
          );
        })}
      </Box>
    </Card>
  );
}

/** What guests did with an event. */
export default function StatisticsPage() {
  const event = useWorkspaceEvent();
  const show = useSnackbar();
  const statistics = useQuery(statisticsQuery(event.id));
  const saving = useMutation({
    mutationFn: () => fetchStatisticsFile(event.id),
    onSuccess: (file) => saveBlob(file, `${event.slug}-statistics.csv`),
    onError: ({ message }) => show({ tone: 'error', text: message }),
  });
  const { data } = statistics;
  const isEmpty = data !== undefined && isUnvisited(data);
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, mb: 3.5 }}>
        <Typography color="textSecondary" sx={{ flex: '1 1 320px' }}>
          {t`What guests did with ${{ name: event.name }}: numbers only, nobody is recorded. Days are in UTC.`}
        </Typography>
        <Button
          variant="outlined"
          loading={saving.isPending}
          disabled={data === undefined || data.days.length === 0}
          onClick={() => saving.mutate()}
        >
          {t`Download CSV`}
        </Button>
      </Box>
      {statistics.isError && (
        <Box sx={{ mb: 4 }}>
          <Alert tone="error">
            <span>{statisticsFailedText()}</span>
            <Button
              size="small"
              variant="outlined"
              sx={{ ml: 3 }}
              loading={statistics.isFetching}
              onClick={() => void statistics.refetch()}
            >
              {t`Try again`}
            </Button>
          </Alert>
        </Box>
      )}
      {isEmpty && (
        <Card>
          <EmptyState
            title={t`No guest has been here yet`}
            description={t`Share the event's link or its QR code; what guests do is counted from then on.`}
          />
        </Card>
      )}
      {!isEmpty && (statistics.isPending || data !== undefined) && (
        <Box
          sx={{ display: 'grid', gap: { xs: 3, md: 4 } }}
          {...(statistics.isPending && { role: 'status', 'aria-label': t`Loading the statistics` })}
        >
          <Figures totals={data?.totals} />
          {data === undefined ? (
            <Card sx={{ p: { xs: 4, md: 6 } }}>
              <Skeleton height={dayBarsHeight} />
            </Card>
          ) : (
            <>
              {data.accuracy !== null && data.accuracy !== undefined && (
                <AccuracyFigure accuracy={data.accuracy} />
              )}
              <Charts days={data.days} />
              <DaysTable days={data.days} />
            </>
          )}
        </Box>
      )}
    </>
  );
}
