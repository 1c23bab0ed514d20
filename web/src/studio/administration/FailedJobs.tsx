import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { type Column, DataTable } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { removalRegion } from '../../ui/focusAfterRemoval';
import { useFocusLoaded } from '../../ui/useFocusLoaded';
import { formatCount } from '../../platform/formats';
import { failedJobsQuery, jobsFailedText } from './administration';
import { jobKindText } from './jobKinds';
import { Panel } from '../../ui/Panel';
import { RelativeTime } from '../../ui/RelativeTime';
import { RetryJob } from './RetryJobs';
import { LoadFailed, LoadingRows, ShowMore } from '../../ui/ScreenState';
import type { FailedJob, KindOfJobs } from './types';

const columns = (): Column<FailedJob>[] => [
  {
    header: t`Kind of job`,
    cell: ({ kind, photo_id }) => (
      <>
        {jobKindText(kind)}
        {photo_id != null && (
          <Typography variant="caption" component="div" color="textDisabled">
            {t`Photo ${{ id: photo_id }}`}
          </Typography>
        )}
      </>
    ),
  },
  {
    header: t`What stood in the way`,
    wide: true,
    cell: ({ error }) => (
      <Box component="span" lang="en" sx={{ fontSize: 13, fontFamily: 'ui-monospace, monospace' }}>
        {error}
      </Box>
    ),
  },
  { header: t`Attempts`, end: true, cell: ({ attempts }) => formatCount(attempts) },
  {
    header: t({ context: 'jobs', message: 'Failed' }),
    end: true,
    cell: ({ failed_at }) => (failed_at == null ? '–' : <RelativeTime time={failed_at} />),
  },
  { header: t`Action`, end: true, quiet: true, cell: (job) => <RetryJob job={job} /> },
];

/** The jobs that have been given up, of one kind or of all. */
export function FailedJobs({
  kind,
  kinds,
  onKind,
}: {
  /** '' for all. */
  kind: string;
  kinds: readonly KindOfJobs[];
  onKind: (kind: string) => void;
}) {
  const pages = useInfiniteQuery(failedJobsQuery(kind));
  const jobs = pages.data?.pages.flatMap((page) => page.jobs);
  const count = jobs?.length ?? 0;
  const list = useRef<HTMLTableSectionElement>(null);
  const focusLoaded = useFocusLoaded(list, count);
  const failed = kinds.filter((each) => each.failed > 0).map((each) => each.kind);
  const choices = kind === '' || failed.includes(kind) ? failed : [kind, ...failed];
  return (
    <Box {...removalRegion}>
      <Panel
        title={t`Failed jobs`}
        note={t`Given up after their last attempt, the oldest first.`}
        {...(choices.length > 0 && {
          aside: (
            <NativeSelect
              value={kind}
              input={<OutlinedInput />}
              inputProps={{ 'aria-label': t`Kind of failed jobs` }}
              onChange={(event) => onKind(event.target.value)}
              sx={{ minHeight: 44, maxWidth: '100%', fontSize: 14 }}
            >
              <option value="">{t`All kinds`}</option>
              {choices.map((each) => (
                <option key={each} value={each}>
                  {jobKindText(each)}
                </option>
              ))}
            </NativeSelect>
          ),
        })}
      >
        {pages.isError && (
          <LoadFailed
            error={pages.error}
            fallback={jobsFailedText()}
            asking={pages.isFetching}
            onRetry={() => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch())}
          />
        )}
        {pages.isPending && <LoadingRows label={t`Loading the failed jobs`} />}
        {jobs !== undefined && count > 0 && (
          <DataTable
            label={t`Failed jobs`}
            columns={columns()}
            rows={jobs}
            rowKey={({ id }) => id}
            busy={pages.isPlaceholderData}
            list={list}
          />
        )}
        {jobs !== undefined && count === 0 && (
          <EmptyState
            title={t`No failed jobs`}
            description={
              kind === '' ? t`Everything was done, or is tried again by itself.` : t`None of this kind.`
            }
          />
        )}
        {pages.hasNextPage && !pages.isPlaceholderData && (
          <ShowMore
            loading={pages.isFetchingNextPage}
            onClick={() => {
              focusLoaded();
              void pages.fetchNextPage();
            }}
          />
        )}
      </Panel>
    </Box>
  );
}
