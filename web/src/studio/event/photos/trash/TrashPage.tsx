import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../../../platform/api/errors';
import { ActionDialog } from '../../../../ui/ActionDialog';
import { EmptyState } from '../../../../ui/EmptyState';
import { useSnackbar } from '../../../../ui/useSnackbar';
import { owns } from '../../../shared/events/sharing/roles';
import { useWorkspaceEvent } from '../../../shared/events/workspace/context';
import { formatCount } from '../../../../platform/formats';
import { TrashChips } from '../AlbumChips';
import { GridSkeleton } from '../GridSkeleton';
import { LoadError } from '../LoadError';
import { countText } from '../SelectionBar';
import { SelectionFrame } from '../SelectionFrame';
import { removeForGood, trashKey, trashQuery } from './trash';
import { TrashTile } from './TrashTile';
import { useRestorePhotos } from './useRestorePhotos';

/** Removes photos of the trash for good, and says how it went. */
function useRemoval(eventId: string, onSettled: () => void) {
  const client = useQueryClient();
  const show = useSnackbar();
  return useMutation({
    mutationFn: (chosen: Parameters<typeof removeForGood>[1]) => removeForGood(eventId, chosen),
    onSuccess: (count) =>
      show({
        tone: 'success',
        text: plural(count, { one: 'Photo deleted for good.', other: '# photos deleted for good.' }),
      }),
    onError: (error) =>
      show({
        tone: 'error',
        text: errorMessage(error, t`The photos could not be deleted. Please try again.`),
      }),
    onSettled: () => {
      onSettled();
      return client.invalidateQueries({ queryKey: trashKey(eventId) });
    },
  });
}

/** The deleted photos of an event: each can be restored for a week, or removed at once. */
export default function TrashPage() {
  const event = useWorkspaceEvent();
  const query = useInfiniteQuery(trashQuery(event.id));
  // The owner paid for the photos: nobody else removes any for good.
  const owned = owns(event.role);
  const photos = query.data?.pages.flatMap((page) => page.photos) ?? [];
  const total = query.data?.pages.at(-1)?.total_count;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // The question stays about these photos, whatever happens to the selection and to the list: the team goes on deleting.
  const [asked, setAsked] = useState<{
    chosen: readonly string[] | { through: string };
    count: number;
  } | null>(null);
  // Days are told, so that the moment of the first view is exact enough.
  const [now] = useState(() => Date.now());
  // What is gone meanwhile is not selected any more.
  const ids = photos.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const clear = () => setChosen(new Set());
  const restoring = useRestorePhotos(event.id, clear);
  const removal = useRemoval(event.id, () => {
    clear();
    setAsked(null);
  });
  const toggle = (id: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const count = asked?.count ?? 0;
  const askAll = () => {
    // What was deleted last comes first, and the first page has counted what it was read with.
    const first = query.data?.pages[0];
    const newest = first?.photos[0];
    if (first !== undefined && newest !== undefined)
      setAsked({ chosen: { through: newest.deleted_at }, count: first.total_count });
  };
  const busy = restoring.isPending || removal.isPending;
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mb: 3.5 }}>
        <TrashChips />
        {photos.length > 0 && (
          <>
            <Button disabled={busy} onClick={() => restoring.mutate('all')}>
              {t`Restore all`}
            </Button>
            {owned && (
              <Button color="error" disabled={busy} onClick={askAll}>
                {t`Empty the trash`}
              </Button>
            )}
          </>
        )}
      </Box>

      <Typography color="textSecondary" sx={{ mb: 5 }}>
        {total !== undefined &&
          total > 0 &&
          `${plural(total, { one: `${total} photos`, other: `${total} photos` })} · `}
        {t`Deleted photos wait here for 7 days. Guests never see them.`}
      </Typography>
      {query.isLoadingError && (
        <LoadError
          text={errorMessage(query.error, t`Failed to load the trash. Please try again.`)}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isPending && <GridSkeleton />}
      {total === 0 && (
        <Card>
          <EmptyState
            title={t`The trash is empty`}
            description={t`Photos that you delete come here first.`}
          />
        </Card>
      )}
      {photos.length > 0 && (
        <Box
          component="ul"
          aria-label={t`Deleted photos`}
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: 'repeat(2, 1fr)', sm: 'repeat(auto-fill, minmax(200px, 1fr))' },
            gap: { xs: 2, sm: 4 },
            m: 0,
            p: 0,
            listStyle: 'none',
          }}
        >
          {photos.map((photo) => (
            <TrashTile
              key={photo.id}
              photo={photo}
              now={now}
              selected={chosen.has(photo.id)}
              onSelect={() => toggle(photo.id)}
            />
          ))}
        </Box>
      )}
      {query.hasNextPage && (
        <Button
          variant="outlined"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
          sx={{ mt: 5 }}
        >
          {t`Show more`}
        </Button>
      )}
      {ids.length > 0 && (
        <SelectionFrame text={countText(ids.length)} onClear={clear}>
          <Button
            size="small"
            variant="contained"
            color="primary"
            loading={restoring.isPending}
            disabled={busy}
            onClick={() => restoring.mutate(ids)}
          >
            {t`Restore ${{ count: formatCount(ids.length) }}`}
          </Button>
          {owned && (
            <Button
              size="small"
              variant="contained"
              color="danger"
              disabled={busy}
              onClick={() => setAsked({ chosen: ids, count: ids.length })}
            >
              {t`Delete now`}
            </Button>
          )}
        </SelectionFrame>
      )}
      {asked !== null && (
        <ActionDialog
          title={plural(count, {
            one: 'Delete this photo for good?',
            other: 'Delete # photos for good?',
          })}
          text={t`They cannot be restored afterwards.`}
          action={t`Delete`}
          danger
          busy={removal.isPending}
          failure={null}
          onClose={() => setAsked(null)}
          onSubmit={() => removal.mutate(asked.chosen)}
        />
      )}
    </>
  );
}
