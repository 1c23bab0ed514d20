import { t } from '@lingui/core/macro';
import Card from '@mui/material/Card';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { Page, PageHeader } from '../../ui/Page';
import { useFocusLoaded } from '../../ui/useFocusLoaded';
import { formatCount } from '../../platform/formats';
import { formatDayOf, formatShortDate } from '../../platform/shortDates';
import { eventsFailedText, eventsQuery } from './administration';
import { LoadFailed, LoadingRows, ShowMore } from '../../ui/ScreenState';
import { accountAddress } from './sections';
import { sizeText } from './sizes';
import { StateChip } from '../../ui/StateChip';
import type { SizedEvent } from './types';

const columns = (): Column<SizedEvent>[] => [
  {
    header: t`Event`,
    cell: ({ name, date, slug, deleting }) => (
      <>
        <MuiLink href={`/event/${encodeURIComponent(slug)}`} target="_blank" rel="noopener">
          {name}
        </MuiLink>
        <Typography variant="body2" component="div" color="textSecondary">
          {formatShortDate(date)} {deleting && <StateChip tone="warning" label={t`Deleting...`} />}
        </Typography>
      </>
    ),
  },
  {
    header: t`Owner`,
    wide: true,
    cell: ({ owner }) => (
      <MuiLink component={Link} to={accountAddress(owner.id)} sx={{ fontWeight: 500 }}>
        {owner.email}
      </MuiLink>
    ),
  },
  { header: t`Size`, end: true, cell: ({ bytes }) => sizeText(bytes) },
  { header: t`Photos`, end: true, cell: ({ photos }) => formatCount(photos) },
  {
    header: t`Kept until`,
    end: true,
    cell: ({ expires_at }) => (expires_at == null ? t`For ever` : formatDayOf(expires_at)),
  },
];

/** The events of all photographers, the largest first. */
export default function EventsPage() {
  const pages = useInfiniteQuery(eventsQuery());
  const events = pages.data?.pages.flatMap((page) => page.events);
  const count = events?.length ?? 0;
  const list = useRef<HTMLTableSectionElement>(null);
  const focusLoaded = useFocusLoaded(list, count);
  return (
    <Page>
      <PageHeader title={t`Events by size`} subtitle={t`Those of all photographers, the largest first.`} />
      {pages.isError && (
        <LoadFailed
          error={pages.error}
          fallback={eventsFailedText()}
          asking={pages.isFetching}
          onRetry={() => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch())}
        />
      )}
      {(pages.isPending || events !== undefined) && (
        <Card sx={{ px: { xs: 4, md: 6 }, py: { xs: 2, md: 4 } }}>
          {pages.isPending && <LoadingRows label={t`Loading the events`} />}
          {events !== undefined && count > 0 && (
            <DataTable
              label={t`Events by size`}
              columns={columns()}
              rows={events}
              rowKey={({ id }) => id}
              list={list}
            />
          )}
          {events !== undefined && count === 0 && (
            <EmptyState
              title={t`No events yet`}
              description={t`Events stand here as soon as a photographer creates one.`}
            />
          )}
        </Card>
      )}
      {pages.hasNextPage && (
        <ShowMore
          loading={pages.isFetchingNextPage}
          onClick={() => {
            focusLoaded();
            void pages.fetchNextPage();
          }}
        />
      )}
    </Page>
  );
}
