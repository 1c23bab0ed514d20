import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { errorMessage } from '../../shared/api/errors';
import type { Photo } from '../../shared/api/types';
import { Alert } from '../../shared/components/Alert';
import { EmptyState } from '../../shared/components/EmptyState';
import { Icon } from '../../shared/components/Icon';
import { Page, PageHeader } from '../../shared/components/Page';
import { useLazyComponent } from '../../shared/components/useLazyComponent';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { eventScreenAddress } from '../../shared/events/eventScreens';
import { QrCodeDialog } from '../../shared/events/QrCodeDialog';
import type { SelectedEvent } from '../../shared/storage';
import { DeletePhotosDialog } from './DeletePhotosDialog';
import { filterPhotos, isFiltering, listOf, noFilter } from './filters';
import { GalleryFilters } from './GalleryFilters';
import { GuestRequests } from './GuestRequests';
import { guestRequestsQuery } from './guestRequestsApi';
import { NewPhotosButton } from './NewPhotosButton';
import { PhotoGrid, type PhotoGridHandle } from './PhotoGrid';
import type { ModifierKeys } from './PhotoTile';
import { SelectionBar } from './SelectionBar';
import { useDeletePhotos } from './useDeletePhotos';
import { useGallery } from './useGallery';
import { useIsAtTop } from './useIsAtTop';
import { useOpenPhoto } from './useOpenPhoto';
import { useSelection } from './useSelection';
import { useSelectionKeys } from './useSelectionKeys';

const importLightbox = () => import('./PhotoLightbox');
/** The number of photos before the end of the list at which the lightbox fetches the next page. */
const prefetchDistance = 20;
const noPhotos: readonly Photo[] = [];

function GridSkeleton() {
  return (
    <Box
      role="status"
      aria-busy="true"
      aria-label={t`Loading the photos`}
      sx={{ display: 'grid', gridTemplateColumns: { xs: 'repeat(3, 1fr)', md: 'repeat(4, 1fr)' }, gap: 1.5 }}
    >
      {Array.from({ length: 12 }, (_, index) => (
        <Skeleton key={index} height={200} />
      ))}
    </Box>
  );
}

function LoadError({ text, busy, onRetry }: { text: string; busy: boolean; onRetry: () => void }) {
  return (
    <Box sx={{ display: 'grid', gap: 4, justifyItems: 'start', mt: 4 }}>
      <Alert tone="error">{text}</Alert>
      <Button variant="outlined" loading={busy} onClick={onRetry}>
        {t`Try again`}
      </Button>
    </Box>
  );
}

/** The photos of two lists, each once. */
function unite(photos: readonly Photo[], others: readonly Photo[]): readonly Photo[] {
  const known = new Set(photos.map(({ id }) => id));
  return [...photos, ...others.filter(({ id }) => !known.has(id))];
}

/** The photos of an event: filters, grid, lightbox, selection and deletion. */
export function EventGallery({ event }: { event: SelectedEvent }) {
  const show = useSnackbar();
  const client = useQueryClient();
  const [filter, setFilter] = useState(noFilter);
  const list = listOf(filter);
  const allPhotos = useGallery(event.id, 'all');
  const withoutFaces = useGallery(event.id, 'withoutFaces', list === 'withoutFaces');
  const { gallery, loadMore, loadAll, admit, ...shownList } =
    list === 'withoutFaces' ? withoutFaces : allPhotos;
  const { openId, open, view, close } = useOpenPhoto();
  const lightbox = useLazyComponent(importLightbox);
  const [dialog, setDialog] = useState<'qrCode' | 'delete' | null>(null);
  const [toDelete, setToDelete] = useState<readonly string[]>([]);
  const atTop = useIsAtTop();

  // What the server does not filter applies to all photos of the list, so that all pages have to be loaded.
  const filtering = isFiltering(filter);
  const loaded = gallery !== undefined;
  useEffect(() => {
    if (!filtering || !loaded) return undefined;
    const controller = new AbortController();
    void loadAll(controller.signal);
    return () => controller.abort();
  }, [filtering, loaded, loadAll]);

  const photos = gallery?.photos ?? noPhotos;
  const arrivals = gallery?.arrivals;
  const matching = useMemo(() => filterPhotos(photos, filter), [photos, filter]);
  const known = useMemo(
    () =>
      arrivals === undefined || arrivals.size === 0
        ? matching
        : matching.filter(({ id }) => !arrivals.has(id)),
    [matching, arrivals],
  );
  const loadedPhotos = useMemo(
    () => unite(allPhotos.gallery?.photos ?? noPhotos, withoutFaces.gallery?.photos ?? noPhotos),
    [allPhotos.gallery, withoutFaces.gallery],
  );
  const selection = useSelection({ photos: loadedPhotos, shown: known, filter, loadAll });
  // Whoever looks at photos further down, selects some or has one open is not to lose their place.
  const holdArrivals = !atTop || selection.active || openId !== null;
  const shown = holdArrivals ? known : matching;
  const arrived = arrivals !== undefined && arrivals.size > 0;
  useEffect(() => {
    if (arrived && !holdArrivals) admit();
  }, [arrived, holdArrivals, admit]);

  const deletion = useDeletePhotos((deleted) => {
    if (openId !== null && deleted.includes(openId)) {
      const index = shown.findIndex(({ id }) => id === openId);
      const neighbour = shown[index + 1] ?? shown[index - 1];
      if (neighbour === undefined) close();
      else view(neighbour.id);
    }
    shownList.remove(deleted);
    selection.remove(deleted);
    void client.invalidateQueries({ queryKey: guestRequestsQuery(event.id).queryKey });
    setDialog(null);
  });
  const confirmDeletion = (ids: readonly string[]) => {
    if (ids.length === 0) return;
    // The question stays about these photos, whatever happens to the selection.
    setToDelete(ids);
    setDialog('delete');
  };
  useSelectionKeys({
    onSelectAll: () => void selection.selectAll(),
    onClear: selection.clear,
    onDelete: () => confirmDeletion(selection.ids),
  });

  const openLightbox = useEffectEvent(() => {
    lightbox.load().catch(() => {
      close();
      show({ tone: 'error', text: t`The photo could not be opened. Please check your connection.` });
    });
  });
  const isOpen = openId !== null;
  useEffect(() => {
    if (isOpen) openLightbox();
  }, [isOpen]);
  const showPhoto = (id: string) => {
    view(id);
    if (shown.slice(-prefetchDistance).some((photo) => photo.id === id)) void loadMore();
  };

  // The photo of an address that was opened anew may be further down than what is loaded, or gone.
  const missing = isOpen && loaded && !toDelete.includes(openId) && !photos.some(({ id }) => id === openId);
  const exhausted = gallery?.nextCursor === null;
  const findOpenPhoto = useEffectEvent(() => {
    if (exhausted) close();
    else void loadMore();
  });
  useEffect(() => {
    if (missing) findOpenPhoto();
  }, [missing, exhausted, photos.length]);

  const grid = useRef<PhotoGridHandle>(null);
  const lastOpen = useRef<string | null>(null);
  useEffect(() => {
    if (openId === null && lastOpen.current !== null) grid.current?.reveal(lastOpen.current);
    lastOpen.current = openId;
  }, [openId]);

  const select = (id: string, { shiftKey }: ModifierKeys) =>
    shiftKey ? selection.extend(id) : selection.toggle(id);
  const press = (id: string, keys: ModifierKeys) => {
    if (selection.active || keys.shiftKey || keys.ctrlKey || keys.metaKey) select(id, keys);
    else open(id);
  };

  const total = allPhotos.gallery?.total;
  const unfinished = gallery !== undefined && gallery.nextCursor !== null;
  return (
    <Page>
      <PageHeader
        title={event.name}
        titleAdornment={
          total !== undefined && (
            <Chip label={plural(total, { one: `${total} photos`, other: `${total} photos` })} />
          )
        }
      >
        <Button variant="outlined" startIcon={<Icon name="qr" />} onClick={() => setDialog('qrCode')}>
          {t`QR Code`}
        </Button>
        <Button
          component={Link}
          to={eventScreenAddress('/admin/upload', event.id)}
          variant="contained"
          color="primary"
          startIcon={<Icon name="upload" />}
        >
          {t`Upload Photos`}
        </Button>
      </PageHeader>

      <GuestRequests eventId={event.id} onDelete={confirmDeletion} />
      {total === 0 && (
        <Card>
          <EmptyState
            title={t`No photos yet`}
            description={t`Upload the first ones: they are searchable within minutes.`}
          />
        </Card>
      )}
      {total !== undefined && total > 0 && (
        <GalleryFilters filter={filter} onChange={setFilter}>
          {!selection.active && (
            <Button variant="outlined" onClick={selection.start} sx={{ ml: { md: 'auto' } }}>
              {t`Select`}
            </Button>
          )}
        </GalleryFilters>
      )}
      {gallery === undefined && shownList.error !== null && (
        <LoadError
          text={errorMessage(shownList.error, t`Failed to load photos. Please try again.`)}
          busy={shownList.isFetching}
          onRetry={() => void shownList.refetch()}
        />
      )}
      {gallery === undefined && shownList.error === null && <GridSkeleton />}
      {gallery !== undefined && total !== undefined && total > 0 && (
        <>
          {selection.active && (
            <SelectionBar
              count={selection.ids.length}
              hidden={selection.hidden}
              total={filtering || !unfinished ? shown.length : gallery.total}
              selectingAll={selection.selectingAll}
              onSelectAll={() => void selection.selectAll()}
              onClear={selection.clear}
              onDelete={() => confirmDeletion(selection.ids)}
            />
          )}
          {shown.length === 0 && (
            <Typography color="textSecondary" role="status">
              {unfinished && !shownList.loadFailed
                ? t`Looking through all photos…`
                : t`No photo is like that.`}
            </Typography>
          )}
          <NewPhotosButton
            count={matching.length - shown.length}
            onShow={() => {
              admit();
              window.scrollTo({ top: 0 });
            }}
          />
          <PhotoGrid
            ref={grid}
            photos={shown}
            selectedIds={new Set(selection.ids)}
            selecting={selection.active}
            onPress={press}
            onSelect={select}
            onNearEnd={() => void loadMore()}
          />
          {shownList.loadFailed && (
            <LoadError
              text={t`Failed to load photos. Please try again.`}
              busy={false}
              onRetry={() => void (filtering ? loadAll() : loadMore())}
            />
          )}
        </>
      )}

      {lightbox.Component !== null && openId !== null && (
        <lightbox.Component
          photos={shown}
          total={filtering || !unfinished ? shown.length : gallery.total}
          currentId={openId}
          onChange={showPhoto}
          onDelete={(id) => confirmDeletion([id])}
          onClose={close}
        />
      )}
      <QrCodeDialog event={event} open={dialog === 'qrCode'} onClose={() => setDialog(null)} />
      <DeletePhotosDialog
        count={toDelete.length}
        open={dialog === 'delete'}
        busy={deletion.isPending}
        onCancel={() => setDialog(null)}
        onConfirm={() => deletion.mutate(toDelete)}
      />
    </Page>
  );
}
