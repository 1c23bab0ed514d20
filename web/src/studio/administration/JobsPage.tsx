import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../ui/DataTable';
import { Page, PageHeader } from '../../ui/Page';
import { formatDuration } from '../../platform/durations';
import { formatCount } from '../../platform/formats';
import { jobsFailedText, jobsQuery } from './administration';
import { FailedJobs } from './FailedJobs';
import { jobKindText } from './jobKinds';
import { Panel } from '../../ui/Panel';
import { RetryAllJobs } from './RetryJobs';
import { LoadFailed, LoadingRows } from '../../ui/ScreenState';
import type { KindOfJobs } from './types';
import { useFilter } from './useFilter';

const columns = (): Column<KindOfJobs>[] => [
  { header: t`Kind of job`, cell: ({ kind }) => jobKindText(kind) },
  { header: t`Waiting`, end: true, cell: ({ waiting }) => formatCount(waiting) },
  {
    header: t({ context: 'jobs', message: 'Running' }),
    end: true,
    cell: ({ running }) => formatCount(running),
  },
  {
    header: t({ context: 'jobs', message: 'Failed' }),
    end: true,
    cell: ({ failed }) => (
      <Box component="span" sx={failed > 0 ? { color: 'error.main', fontWeight: 600 } : {}}>
        {formatCount(failed)}
      </Box>
    ),
  },
  {
    header: t`Longest wait`,
    end: true,
    cell: ({ oldest_seconds }) => (oldest_seconds == null ? '–' : formatDuration(oldest_seconds)),
  },
  {
    header: t`Action`,
    end: true,
    quiet: true,
    empty: ({ failed }) => failed === 0,
    cell: (row) => <RetryAllJobs {...row} />,
  },
];

/** The work in the background: what waits, what runs, and what has failed. */
export default function JobsPage() {
  const [kind, setKind] = useFilter('kind');
  const jobs = useQuery(jobsQuery());
  const kinds = jobs.data?.kinds;
  return (
    <Page>
      <PageHeader
        title={t`Jobs`}
        subtitle={t`What is done in the background. The figures follow by themselves.`}
      />
      {jobs.isError && (
        <LoadFailed
          error={jobs.error}
          fallback={jobsFailedText()}
          asking={jobs.isFetching}
          onRetry={() => void jobs.refetch()}
        />
      )}
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
        {(jobs.isPending || kinds !== undefined) && (
          <Panel title={t`By kind`}>
            {jobs.isPending && <LoadingRows label={t`Loading the jobs`} rows={3} />}
            {kinds?.length === 0 && (
              <Typography color="textSecondary">{t`Nothing waits, and nothing has failed.`}</Typography>
            )}
            {kinds !== undefined && kinds.length > 0 && (
              <DataTable
                label={t`Jobs by kind`}
                columns={columns()}
                rows={kinds}
                rowKey={(row) => row.kind}
              />
            )}
          </Panel>
        )}
        <FailedJobs kind={kind} onKind={setKind} kinds={kinds ?? []} />
      </Box>
    </Page>
  );
}
