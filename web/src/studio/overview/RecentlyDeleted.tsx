import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { DeletedEvent } from '../../platform/api/types';
import { ActionDialog } from '../../ui/ActionDialog';
import { type Column, DataTable } from '../../ui/DataTable';
import { useSnackbar } from '../../ui/useSnackbar';
import { eventsKey } from '../shared/events/events';
import { formatCount } from '../../platform/formats';
import { formatDayOf } from '../../platform/shortDates';
import { dashboardQuery, purgeEvent, restoreEvent } from './analytics';

const isRestorable = ({ restorable_until: until }: DeletedEvent) =>
  until !== undefined && until !== null && Date.parse(until) > Date.now();

/** Restores a deleted event, says how it went, and has what it changes loaded again. */
function useRestore() {
  const client = useQueryClient();
  const show = useSnackbar();
  return useMutation({
    mutationFn: ({ id }: DeletedEvent) => restoreEvent(id),
    onSuccess: (_, { name }) =>
      show({ tone: 'success', text: t`${{ name }} is restored. Its photos come back within a minute.` }),
    onError: (error) =>
      show({
        tone: 'error',
        text: errorMessage(error, t`The event could not be restored. Please try again.`),
      }),
    onSettled: () =>
      Promise.all(
        [dashboardQuery().queryKey, eventsKey].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

function PurgeDialog({ event, onClose }: { event: DeletedEvent; onClose: () => void }) {
  const client = useQueryClient();
  const purging = useMutation({
    mutationFn: () => purgeEvent(event.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: dashboardQuery().queryKey });
      onClose();
    },
  });
  return (
    <ActionDialog
      title={t`Delete ${{ name: event.name }} for good?`}
      text={t`Its photos, faces and albums are removed now and cannot be restored.`}
      action={t`Delete for good now`}
      danger
      busy={purging.isPending}
      failure={
        purging.isError
          ? errorMessage(purging.error, t`The event could not be deleted. Please try again.`)
          : null
      }
      onClose={onClose}
      onSubmit={() => purging.mutate()}
    />
  );
}

/** What can still be done with a deleted event, below its name. */
function Restorable({ event, onPurge }: { event: DeletedEvent; onPurge: () => void }) {
  const restoring = useRestore();
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mt: 1.5 }}>
      <Button
        variant="outlined"
        size="small"
        loading={restoring.isPending}
        aria-label={t`Restore ${{ name: event.name }}`}
        onClick={() => restoring.mutate(event)}
      >
        {t`Restore`}
      </Button>
      <Button
        size="small"
        color="danger"
        aria-label={t`Delete ${{ name: event.name }} for good now`}
        onClick={onPurge}
      >
        {t`Delete for good now`}
      </Button>
      <Typography variant="caption" color="textSecondary">
        {t`Until ${{ day: formatDayOf(event.restorable_until ?? '') }}`}
      </Typography>
    </Box>
  );
}

const columns = (onPurge: (event: DeletedEvent) => void): Column<DeletedEvent>[] => [
  {
    header: t`Event`,
    cell: (event) => (
      <>
        {event.name}
        {isRestorable(event) && <Restorable event={event} onPurge={() => onPurge(event)} />}
      </>
    ),
  },
  {
    header: t({ comment: 'column of dates', message: 'Created' }),
    cell: ({ created_at }) => formatDayOf(created_at),
  },
  {
    header: t({ comment: 'column of dates', message: 'Deleted' }),
    cell: ({ deleted_at }) => formatDayOf(deleted_at ?? ''),
  },
  { header: t`Photos`, end: true, cell: (event) => formatCount(event.total_photos_uploaded) },
  { header: t`Lifetime days`, end: true, cell: (event) => formatCount(event.lifetime_days) },
];

/** The events that were deleted in the last 30 days; those of the last 7 can be restored. */
export function RecentlyDeleted({ events }: { events: readonly DeletedEvent[] | undefined }) {
  const [purged, setPurged] = useState<DeletedEvent | null>(null);
  return (
    <Card component="section" aria-labelledby="deleted-title" sx={{ p: { xs: 4, md: 6 } }}>
      <Typography variant="h3" component="h2" id="deleted-title" sx={{ mb: 4 }}>
        {t`Recently Deleted Events`}
      </Typography>
      {events === undefined ? (
        <Skeleton height={42} />
      ) : events.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t`None in the last 30 days.`}
        </Typography>
      ) : (
        <DataTable
          label={t`Recently Deleted Events`}
          columns={columns(setPurged)}
          rows={events}
          rowKey={({ id }) => id}
        />
      )}
      {purged !== null && <PurgeDialog event={purged} onClose={() => setPurged(null)} />}
    </Card>
  );
}
