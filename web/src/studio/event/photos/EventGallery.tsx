import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import type { Album, Photo } from '../../../platform/api/types';
import { EmptyState } from '../../../ui/EmptyState';
import { useStacks } from '../../../ui/useStacks';
import { eventsKey } from '../../shared/events/events';
import { manages } from '../../shared/events/sharing/roles';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { guestRequestsQuery } from '../../shared/notifications/guestRequests';
import { AlbumChips } from './AlbumChips';
import { AlbumsDialog } from './albums/AlbumsDialog';
import { albumsQuery } from '../../shared/events/albums/albums';
import { AddToAlbumDialog } from './albums/AddToAlbumDialog';
import { useTakeOut } from './albums/useTakeOut';
import { allPhotos as everyPhoto, createDownload } from './photos';
import { type Chosen, choiceLimit } from '../../shared/events/albums/choices';
import { DownloadAllDialog } from './DownloadAllDialog';
import {
  inNoAlbum,
  isAboutSharpness,
  leavesOut,
  listOf,
  noFilter,
  showsAll,
  showsBest,
  withinAlbums,
  withoutHearts,
} from './filters';
import { FilterSheet } from './FilterSheet';
import { FilterSummary } from './FilterSummary';
import { GridSkeleton } from './GridSkeleton';
import { HeldPhotos } from './HeldPhotos';
import { KeysDialog } from './KeysDialog';
import { LoadError } from './LoadError';
import { NamesDialog } from './NamesDialog';
import { NewPhotosButton } from './NewPhotosButton';
import { PhotoGrid, type PhotoGridHandle } from './PhotoGrid';
import { PhotoTools } from './PhotoTools';
import type { ModifierKeys } from './PhotoTile';
import { sectionByHour } from './sections';
import { SelectionBar } from './SelectionBar';
import { SelectionNote } from './SelectionNote';
import { StackSummary } from './StackSummary';
import { useBest } from './useBest';
import { useDeletePhotos } from './useDeletePhotos';
import { useDownloadPhotos } from './useDownloadPhotos';
import { useFilter } from './useFilter';
import { useGallery } from './useGallery';
import { useGridLightbox } from './useGridLightbox';
import { useIsAtTop } from './useIsAtTop';
import { useOpenPhoto } from './useOpenPhoto';
import { useSelection } from './useSelection';
import { useSelectionKeys } from './useSelectionKeys';
import { useUploaders } from './useUploaders';

/** The number of photos before the end of the list at which the lightbox fetches the next page. */
const prefetchDistance = 20;
const noPhotos: readonly Photo[] = [];
const noAlbums: readonly Album[] = [];

/** The photos of two lists, each once. */
function unite(photos: readonly Photo[], others: readonly Photo[]): readonly Photo[] {
  const known = new Set(photos.map(({ id }) => id));
  return [...photos, ...others.filter(({ id }) => !known.has(id))];
}

/** What is downloaded: more photos than a request names are all of the event's, or refused. */
const chosenOf = (ids: readonly string[], total: number): Chosen =>
  ids.length > choiceLimit && ids.length === total ? 'all' : ids;

/** The photos of an event: filters, grid, lightbox, selection and deletion. */
export function EventGallery() {
  const event = useWorkspaceEvent();
  const client = useQueryClient();
  const { filter: wanted, typed, change: setFilter } = useFilter();
  const managed = manages(event.role);
  const loadedAlbums = useQuery({ ...albumsQuery(event.id), enabled: managed }).data;
  const albums = loadedAlbums ?? noAlbums;
  // An album of the address may be there until they are loaded.
  const within = managed && loadedAlbums === undefined ? wanted : withinAlbums(wanted, albums);
  const filter = managed ? within : withoutHearts(within);
  const list = listOf(filter);
  const allPhotos = useGallery(event.id, everyPhoto);
  const { gallery, now, loadMore, loadIds, admit, ...shownList } = useGallery(event.id, list);
  const address = useOpenPhoto();
  const { openId, open, view, close } = address;
  const [dialog, setDialog] = useState<'filter' | 'keys' | 'albums' | 'add' | 'all' | 'names' | null>(null);
  const [leaving, setLeaving] = useState<readonly string[]>([]);
  const atTop = useIsAtTop();

  const photos = gallery?.photos ?? noPhotos;
  const arrivals = gallery?.arrivals;
  const known = useMemo(
    () =>
      arrivals === undefined || arrivals.size === 0 ? photos : photos.filter(({ id }) => !arrivals.has(id)),
    [photos, arrivals],
  );
  const loadedPhotos = useMemo(
    () => unite(allPhotos.gallery?.photos ?? noPhotos, photos),
    [allPhotos.gallery, photos],
  );
  const uploaders = useUploaders(event.id, managed, loadedPhotos);
  const selection = useSelection({ photos: loadedPhotos, shown: known, list, gallery, now, loadIds });
  const selectedPhotos = useMemo(() => {
    const ids = new Set(selection.ids);
    return loadedPhotos.filter(({ id }) => ids.has(id));
  }, [loadedPhotos, selection.ids]);
  /** Whether all selected photos are in an album; of photos that are not loaded the list that is shown tells it. */
  const isThere = (album: string) =>
    filter.album === album ||
    (selectedPhotos.length === selection.ids.length &&
      selectedPhotos.every(({ albums: its }) => its.includes(album)));
  // Whoever looks at photos further down, selects some or has one open is not to lose their place.
  const holdArrivals = !atTop || selection.active || openId !== null;
  const shown = holdArrivals ? known : photos;
  const stacks = useStacks(shown, showsBest(filter));
  const best = useBest(event.id);
  // A photo that is opened by its address may stand behind another one.
  const behind =
    openId === null || stacks.photos.some(({ id }) => id === openId)
      ? undefined
      : shown.find(({ id }) => id === openId)?.stack?.id;
  const openStack = useEffectEvent(stacks.toggle);
  useEffect(() => {
    if (behind !== undefined) openStack(behind);
  }, [behind]);
  const arrived = arrivals !== undefined && arrivals.size > 0;
  useEffect(() => {
    if (arrived && !holdArrivals) admit();
  }, [arrived, holdArrivals, admit]);

  const deletion = useDeletePhotos(event.id, (deleted) => {
    if (openId !== null && deleted.includes(openId)) {
      const index = stacks.photos.findIndex(({ id }) => id === openId);
      const neighbour = stacks.photos[index + 1] ?? stacks.photos[index - 1];
      if (neighbour === undefined) close();
      else view(neighbour.id);
    }
    shownList.remove(deleted);
    selection.remove(deleted);
    void client.invalidateQueries({ queryKey: guestRequestsQuery(event.id).queryKey });
  });
  const inAlbum = managed && filter.album !== '' && filter.album !== inNoAlbum;
  const takeOut = useTakeOut(event.id, filter.album, selection.clear);
  const download = useDownloadPhotos((chosen: Chosen) => createDownload(event.id, chosen));
  const remove = (ids: readonly string[]) => {
    if (ids.length === 0 || deletion.isPending) return;
    setLeaving(ids);
    deletion.mutate(ids);
  };
  useSelectionKeys({
    onSelectAll: () => void selection.selectAll(),
    onClear: selection.clear,
    onDelete: () => remove(selection.ids),
    onHelp: () => setDialog('keys'),
  });

  // The same for every render: the grid calls another one at once, which would try again and again what failed.
  const loadOlder = useCallback(() => void loadMore(), [loadMore]);
  const grid = useRef<PhotoGridHandle>(null);
  const lightbox = useGridLightbox({ address, gallery, leaving, grid, loadMore });
  const showPhoto = (id: string) => {
    view(id);
    if (stacks.photos.slice(-prefetchDistance).some((photo) => photo.id === id)) void loadMore();
  };

  const select = (id: string, { shiftKey }: ModifierKeys) =>
    shiftKey ? selection.extend(id, stacks.photos) : selection.toggle(id);
  const press = (id: string, keys: ModifierKeys) => {
    if (selection.active || keys.shiftKey || keys.ctrlKey || keys.metaKey) select(id, keys);
    else open(id);
  };

  const total = allPhotos.gallery?.total;
  const chips = (
    <AlbumChips
      albums={albums}
      chosen={filter.album}
      total={total ?? 0}
      onChoose={(album) => setFilter({ ...filter, name: typed, album })}
      onEdit={managed ? () => setDialog('albums') : null}
    />
  );
  const unfinished = gallery !== undefined && gallery.nextCursor !== null;
  // Of what is loaded, photos that stand behind others are not among those that are gone through.
  const shownTotal = unfinished
    ? Math.max(gallery.total - (shown.length - stacks.photos.length), stacks.photos.length)
    : stacks.photos.length;
  const moments = leavesOut(filter) || !showsBest(filter) ? null : (gallery?.moments ?? null);
  // The header counts the event's photos. It is asked once for each number here: the event may be counted a moment later.
  const recount = useEffectEvent((listed: number | undefined) => {
    if (managed && listed !== undefined && listed !== event.indexing.total)
      void client.invalidateQueries({ queryKey: eventsKey });
  });
  useEffect(() => recount(total), [total]);
  return (
    <>
      {!managed && (
        <Typography variant="body2" color="textSecondary" sx={{ mb: 3 }}>
          {t`The photos that you uploaded. The owner sees all of the event.`}
        </Typography>
      )}
      {total === 0 && (
        <>
          <Box sx={{ display: 'flex', mb: 3.5 }}>{chips}</Box>
          <Card>
            <EmptyState
              title={t`No photos yet`}
              description={t`Upload the first ones: they are searchable within minutes.`}
            />
          </Card>
        </>
      )}
      {total !== undefined && total > 0 && (
        <PhotoTools
          filter={{ ...filter, name: typed }}
          onChange={setFilter}
          onFilter={() => setDialog('filter')}
          onSelect={selection.active ? selection.clear : selection.start}
        >
          {chips}
        </PhotoTools>
      )}
      {managed && <HeldPhotos event={event} />}
      {managed && filter.selection !== '' && (
        <SelectionNote
          eventId={event.id}
          id={filter.selection}
          commented={filter.commented !== ''}
          onCommented={(on) => setFilter({ ...filter, name: typed, commented: on ? 'true' : '' })}
        />
      )}
      {total !== undefined && total > 0 && leavesOut(filter) && (
        <FilterSummary
          found={gallery === undefined ? undefined : unfinished ? gallery.total : shown.length}
          total={total}
          onShowAll={() => setFilter({ ...noFilter, sort: filter.sort })}
        />
      )}
      {moments !== null && total !== undefined && moments < total && (
        <StackSummary photos={total} moments={moments} allOpen={stacks.allOpen} onToggle={stacks.toggleAll} />
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
              total={unfinished ? gallery.total : shown.length}
              loaded={selection.found}
              selectingAll={selection.selectingAll}
              onSelectAll={() => void selection.selectAll()}
              onStop={selection.stop}
              onClear={selection.clear}
              onAddToAlbum={managed ? () => setDialog('add') : null}
              onTakeOut={inAlbum ? () => takeOut.mutate(selection.ids) : null}
              takingOut={takeOut.isPending}
              downloading={download.isPending}
              onDownload={() => download.mutate(chosenOf(selection.ids, total))}
              onNames={() => setDialog('names')}
              onDownloadAll={showsAll(filter) ? () => setDialog('all') : null}
              onDelete={() => remove(selection.ids)}
            />
          )}
          <NewPhotosButton
            count={photos.length - shown.length}
            onShow={() => {
              admit();
              window.scrollTo({ top: 0 });
            }}
          />
          <PhotoGrid
            ref={grid}
            photos={stacks.photos}
            stackOf={stacks.stackOf}
            onStack={stacks.toggle}
            onBest={managed ? best.mutate : null}
            selectedIds={new Set(selection.ids)}
            selecting={selection.active}
            showsSharpness={isAboutSharpness(filter)}
            sectionOf={filter.sort === 'captured' ? sectionByHour : undefined}
            onPress={press}
            onSelect={select}
            onNearEnd={loadOlder}
            onExtend={(id, from) => selection.extend(id, stacks.photos, from)}
            onDragStart={selection.startDrag}
            onDrag={selection.drag}
          />
          {shownList.loadFailed && (
            <LoadError
              text={t`Failed to load photos. Please try again.`}
              busy={false}
              onRetry={() => void loadMore()}
            />
          )}
        </>
      )}

      {lightbox.Component !== null && openId !== null && (
        <lightbox.Component
          managed={managed}
          photos={stacks.photos}
          stackOf={stacks.stackOf}
          onStack={stacks.toggle}
          onBest={best.mutate}
          total={shownTotal}
          currentId={openId}
          onChange={showPhoto}
          onDelete={(id) => remove([id])}
          onClose={close}
        />
      )}
      {dialog === 'filter' && (
        <FilterSheet
          filter={filter}
          managed={managed}
          uploaders={uploaders}
          onChange={(wanted) => setFilter({ ...wanted, name: typed })}
          onKeys={() => setDialog('keys')}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'all' && (
        <DownloadAllDialog eventId={event.id} album={filter.album} onClose={() => setDialog(null)} />
      )}
      {dialog === 'names' && total !== undefined && (
        <NamesDialog
          eventId={event.id}
          slug={event.slug}
          chosen={chosenOf(selection.ids, total)}
          count={selection.ids.length}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'albums' && <AlbumsDialog eventId={event.id} onClose={() => setDialog(null)} />}
      {dialog === 'add' && (
        <AddToAlbumDialog
          eventId={event.id}
          ids={selection.ids}
          isThere={isThere}
          albums={albums}
          onClose={() => setDialog(null)}
          onDone={() => {
            setDialog(null);
            selection.clear();
          }}
        />
      )}
      <KeysDialog open={dialog === 'keys'} onClose={() => setDialog(null)} />
    </>
  );
}
