import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { errorMessage } from '../../shared/api/errors';
import { EmptyState } from '../../shared/components/EmptyState';
import { Icon } from '../../shared/components/Icon';
import { Alert } from '../../shared/components/Alert';
import { Page, PageHeader } from '../../shared/components/Page';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { useLazyComponent } from '../../shared/components/useLazyComponent';
import { QrCodeDialog } from '../../shared/events/QrCodeDialog';
import { eventsKey, eventsQuery } from '../../shared/events/queries';
import { EventScreen } from '../../shared/events/EventScreen';
import { eventScreenAddress } from '../../shared/events/eventScreens';
import { formatCount } from '../../shared/formats';
import { useSession } from '../../shared/session/session';
import type { SelectedEvent } from '../../shared/storage';
import { deletePhoto, photosKey, photosQuery } from './api';
import { DeletePhotosDialog } from './DeletePhotosDialog';
import { filterPhotos, isFiltering, noFilter } from './filters';
import { GalleryFilters } from './GalleryFilters';
import { PhotoGrid } from './PhotoGrid';
import { usePollProcessing } from './usePollProcessing';

const importLightbox = () => import('./PhotoLightbox');
/** The number of photos before the end of the list at which the lightbox fetches the next page. */
const prefetchDistance = 20;

/** Deletes photos sequentially; returns the errors. */
function useDeletePhotos(eventId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const failures: unknown[] = [];
      for (const id of ids) await deletePhoto(id).catch((error: unknown) => failures.push(error));
      return failures;
    },
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: photosKey(eventId) });
      await client.invalidateQueries({ queryKey: eventsKey });
    },
  });
}

function GridSkeleton() {
  return (
    <Box
      role="status"
      aria-busy="true"
      aria-label="Loading the photos"
      sx={{ display: 'grid', gridTemplateColumns: { xs: 'repeat(3, 1fr)', md: 'repeat(4, 1fr)' }, gap: 1.5 }}
    >
      {Array.from({ length: 12 }, (_, index) => (
        <Skeleton key={index} height={200} />
      ))}
    </Box>
  );
}

function EventGallery({ event }: { event: SelectedEvent }) {
  const show = useSnackbar();
  const query = useInfiniteQuery(photosQuery(event.id));
  const [filter, setFilter] = useState(noFilter);
  const [openId, setOpenId] = useState<string | null>(null);
  const lightbox = useLazyComponent(importLightbox);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<'qrCode' | 'delete' | null>(null);
  const deletion = useDeletePhotos(event.id);

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage({ cancelRefetch: false });
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  // A filter applies to all photos, so that all pages have to be loaded.
  const filtering = isFiltering(filter);
  const pages = query.data?.pages;
  const pageCount = pages?.length;
  usePollProcessing(event.id, pages);
  useEffect(() => {
    if (filtering) loadMore();
  }, [filtering, loadMore, pageCount]);

  const photos = useMemo(() => pages?.flatMap((page) => page.photos) ?? [], [pages]);
  const shown = useMemo(() => filterPhotos(photos, filter), [photos, filter]);
  const total = pages?.[0]?.total_count;

  const open = async (id: string) => {
    try {
      await lightbox.load();
      setOpenId(id);
    } catch {
      show({ tone: 'error', text: 'The photo could not be opened. Please check your connection.' });
    }
  };
  const showPhoto = (id: string) => {
    setOpenId(id);
    if (shown.slice(-prefetchDistance).some((photo) => photo.id === id)) loadMore();
  };
  const toggle = (id: string) =>
    setSelectedIds((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const deleteSelected = () =>
    deletion.mutate([...selectedIds], {
      onSuccess: (failures) => {
        const done = selectedIds.size - failures.length;
        if (failures.length > 0) {
          show({
            tone: 'error',
            text: errorMessage(failures[0], 'Failed to delete the photo. Please try again.'),
          });
        } else {
          show({
            tone: 'success',
            text: done === 1 ? 'Photo deleted.' : `${formatCount(done)} photos deleted.`,
          });
        }
        setSelectedIds(new Set());
        setDialog(null);
      },
    });

  return (
    <Page>
      <PageHeader
        title={event.name}
        titleAdornment={total !== undefined && <Chip label={`${total} photos`} />}
      >
        {selectedIds.size > 0 ? (
          <>
            <Button onClick={() => setSelectedIds(new Set())}>Clear selection</Button>
            <Button
              variant="contained"
              color="danger"
              startIcon={<Icon name="trash" />}
              onClick={() => setDialog('delete')}
            >
              Delete {formatCount(selectedIds.size)}
            </Button>
          </>
        ) : (
          <>
            <Button variant="outlined" startIcon={<Icon name="qr" />} onClick={() => setDialog('qrCode')}>
              QR Code
            </Button>
            <Button
              component={Link}
              to={eventScreenAddress('/admin/upload', event.id)}
              variant="contained"
              color="primary"
              startIcon={<Icon name="upload" />}
            >
              Upload Photos
            </Button>
          </>
        )}
      </PageHeader>

      {query.isError && photos.length === 0 && (
        <Box sx={{ display: 'grid', gap: 4, justifyItems: 'start' }}>
          <Alert tone="error">{errorMessage(query.error, 'Failed to load photos. Please try again.')}</Alert>
          <Button variant="outlined" loading={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        </Box>
      )}
      {query.isPending && <GridSkeleton />}
      {total === 0 && (
        <Card>
          <EmptyState
            title="No photos yet"
            description="Upload the first ones: they are searchable within minutes."
          />
        </Card>
      )}
      {total !== undefined && total > 0 && (
        <>
          <GalleryFilters filter={filter} onChange={setFilter} />
          {shown.length === 0 && (
            <Typography color="textSecondary" role="status">
              {hasNextPage ? 'Looking through all photos…' : 'No photo is like that.'}
            </Typography>
          )}
          <PhotoGrid
            photos={shown}
            selectedIds={selectedIds}
            onOpen={(id) => void open(id)}
            onSelect={toggle}
            onNearEnd={loadMore}
          />
        </>
      )}

      {lightbox.Component !== null && openId !== null && (
        <lightbox.Component
          photos={shown}
          currentId={openId}
          onChange={showPhoto}
          onClose={() => setOpenId(null)}
        />
      )}
      <QrCodeDialog event={event} open={dialog === 'qrCode'} onClose={() => setDialog(null)} />
      <DeletePhotosDialog
        count={selectedIds.size}
        open={dialog === 'delete'}
        busy={deletion.isPending}
        onCancel={() => setDialog(null)}
        onConfirm={deleteSelected}
      />
    </Page>
  );
}

export default function GalleryPage() {
  const events = useQuery(eventsQuery(useSession()));
  return (
    <EventScreen title="Gallery" description="Choose the event in the bar above, or here, to see its photos.">
      {(event) => (
        <>
          {events.isError && (
            <Box sx={{ p: 4 }}>
              <Alert tone="error">Failed to load events. Please try again.</Alert>
            </Box>
          )}
          <EventGallery event={event} />
        </>
      )}
    </EventScreen>
  );
}
