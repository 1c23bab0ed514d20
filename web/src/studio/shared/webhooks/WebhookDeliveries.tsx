import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { type Column, DataTable } from '../../../ui/DataTable';
import { EmptyState } from '../../../ui/EmptyState';
import { useFocusLoaded } from '../../../ui/useFocusLoaded';
import { formatCount } from '../../../platform/formats';
import { Panel } from '../../../ui/Panel';
import { RelativeTime } from '../../../ui/RelativeTime';
import { LoadFailed, LoadingRows, ShowMore } from '../../../ui/ScreenState';
import { StateChip } from '../../../ui/StateChip';
import { type WebhookDelivery, type WebhookSource, deliveriesFailedText, deliveriesQuery } from './webhooks';
import { answerText, deliveryState, eventTypeText } from './webhookTexts';

const code = { fontSize: 13, fontFamily: 'ui-monospace, monospace', overflowWrap: 'anywhere' } as const;

const columns = (): Column<WebhookDelivery>[] => [
  {
    header: t`Message`,
    cell: (delivery) => (
      <>
        {eventTypeText(delivery.event_type)}
        <Typography variant="caption" component="div" color="textDisabled">
          <RelativeTime time={delivery.created_at} />
        </Typography>
        <Box component="details" sx={{ mt: 1, fontWeight: 400 }}>
          <Box component="summary" sx={{ fontSize: 13, cursor: 'pointer' }}>
            {t`What was sent`}
          </Box>
          <Box component="code" dir="ltr" sx={{ ...code, display: 'block', mt: 1 }}>
            {delivery.payload}
          </Box>
        </Box>
      </>
    ),
  },
  { header: t`State`, cell: (delivery) => <StateChip {...deliveryState(delivery)} /> },
  {
    header: t`Last answer`,
    wide: true,
    cell: (delivery) => (
      <>
        {answerText(delivery)}
        {delivery.last_attempt != null && delivery.last_attempt.answer !== '' && (
          <Box component="span" lang="en" dir="auto" sx={{ ...code, display: 'block' }}>
            {delivery.last_attempt.answer}
          </Box>
        )}
      </>
    ),
  },
  {
    header: t`Took`,
    end: true,
    cell: ({ last_attempt }) =>
      last_attempt == null ? '–' : t`${{ duration: formatCount(last_attempt.duration_ms) }} ms`,
  },
  { header: t`Attempts`, end: true, cell: ({ attempts }) => formatCount(attempts) },
  {
    header: t`Next try`,
    end: true,
    empty: ({ next_attempt_at }) => next_attempt_at == null,
    cell: ({ next_attempt_at }) => (next_attempt_at == null ? '–' : <RelativeTime time={next_attempt_at} />),
  },
];

/** The messages to a webhook, newest first. */
export function WebhookDeliveries({ source, id }: { source: WebhookSource; id: string }) {
  const pages = useInfiniteQuery(deliveriesQuery(source, id));
  const deliveries = pages.data?.pages.flatMap((page) => page.deliveries);
  const list = useRef<HTMLTableSectionElement>(null);
  const focusLoaded = useFocusLoaded(list, deliveries?.length ?? 0);
  return (
    <Panel title={t`Last messages`} note={t`They are kept for 30 days.`}>
      {pages.isError && (
        <LoadFailed
          error={pages.error}
          fallback={deliveriesFailedText()}
          asking={pages.isFetching}
          onRetry={() => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch())}
        />
      )}
      {pages.isPending && <LoadingRows label={t`Loading the messages`} rows={3} />}
      {deliveries?.length === 0 && (
        <EmptyState
          title={t`No messages yet`}
          description={t`Send a test to see whether the address answers.`}
        />
      )}
      {deliveries !== undefined && deliveries.length > 0 && (
        <DataTable
          label={t`Last messages`}
          columns={columns()}
          rows={deliveries}
          rowKey={(row) => row.id}
          list={list}
        />
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
    </Panel>
  );
}
