import { hashKey, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { allPhotos, fetchPhotoIds, fetchPhotoPage, photoListsKey, type PhotoList, photosKey } from './photos';
import { admitArrivals, appendPage, type Gallery, galleryOf, isProcessing, removePhotos } from './gallery';
import { refreshGallery } from './refreshGallery';

/** Milliseconds between two refreshes while photos are processing, and otherwise. */
const busyInterval = 4000;
const idleInterval = 15_000;

/** The loaded photos of a list. When there are some, a refetch brings them up to date instead of loading them again. */
const galleryQuery = (eventId: string, list: PhotoList) =>
  queryOptions({
    queryKey: photosKey(eventId, list),
    queryFn: async ({ client, signal }): Promise<Gallery> => {
      const queryKey = photosKey(eventId, list);
      const known = client.getQueryData<Gallery>(queryKey);
      if (known === undefined) return galleryOf(await fetchPhotoPage(eventId, list, null, signal));
      const read = () => client.getQueryData<Gallery>(queryKey) ?? known;
      await refreshGallery(
        { read, write: (gallery) => client.setQueryData<Gallery>(queryKey, gallery) },
        (cursor, limit) => fetchPhotoPage(eventId, list, cursor, signal, limit),
        () => fetchPhotoIds(eventId, list, signal, () => undefined),
      );
      return read();
    },
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      state.data?.photos.some(isProcessing) === true ? busyInterval : idleInterval,
  });

const updateGallery = (
  client: QueryClient,
  eventId: string,
  list: PhotoList,
  update: (gallery: Gallery) => Gallery,
) => client.setQueryData<Gallery>(photosKey(eventId, list), (now) => (now === undefined ? now : update(now)));

/** Photos of an event, with the means to load older ones. They are fetched only while `enabled`. */
export function useGallery(eventId: string, list: PhotoList, enabled = true) {
  const client = useQueryClient();
  const query = useQuery({ ...galleryQuery(eventId, list), enabled });
  // Of the list that failed, which may not be the one that is shown any more.
  const [failedKey, setFailedKey] = useState<string | null>(null);
  const key = hashKey(photosKey(eventId, list));
  const loading = useRef<{ list: PhotoList; page: Promise<boolean> } | null>(null);
  const left = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    left.current = controller;
    return () => controller.abort();
  }, []);

  const loadPage = useCallback(async (): Promise<boolean> => {
    const cursor = client.getQueryData<Gallery>(photosKey(eventId, list))?.nextCursor ?? null;
    const signal = left.current?.signal;
    if (cursor === null || signal === undefined) return false;
    setFailedKey((now) => (now === key ? null : now));
    try {
      const page = await fetchPhotoPage(eventId, list, cursor, signal);
      updateGallery(client, eventId, list, (now) =>
        now.nextCursor === cursor ? appendPage(now, page) : now,
      );
      return (page.next_cursor ?? null) !== null;
    } catch {
      if (!signal.aborted) setFailedKey(key);
      return false;
    }
  }, [client, eventId, list, key]);

  /** Loads the next page of older photos; resolves to whether there are more after it. */
  const loadMore = useCallback((): Promise<boolean> => {
    // A page of another list, which the filter showed before, is not waited for.
    if (loading.current?.list === list) return loading.current.page;
    const page = loadPage().finally(() => {
      if (loading.current?.page === page) loading.current = null;
    });
    loading.current = { list, page };
    return page;
  }, [list, loadPage]);

  /**
   * Asks for the ids of all photos, loaded or not, in their order, and resolves to them; to null if that failed or was
   * cancelled. `onCount` is told how many there are so far.
   */
  const loadIds = useCallback(
    async (signal: AbortSignal, onCount: (count: number) => void): Promise<readonly string[] | null> => {
      const cancelled = () => signal.aborted;
      // Right after a filter was changed not even the first page is there.
      try {
        await client.query({ ...galleryQuery(eventId, list), staleTime: 'static' });
      } catch {
        return null;
      }
      if (cancelled()) return null;
      setFailedKey((now) => (now === key ? null : now));
      try {
        const gallery = client.getQueryData<Gallery>(photosKey(eventId, list));
        if (gallery?.nextCursor === null) return gallery.photos.map(({ id }) => id);
        return await fetchPhotoIds(eventId, list, signal, onCount);
      } catch {
        if (!cancelled()) setFailedKey(key);
        return null;
      }
    },
    [client, eventId, list, key],
  );

  return {
    gallery: query.data,
    error: query.error,
    isFetching: query.isFetching,
    refetch: query.refetch,
    loadFailed: failedKey === key,
    loadMore,
    loadIds,
    /** The gallery at this moment. */
    now: useCallback(() => client.getQueryData<Gallery>(photosKey(eventId, list)), [client, eventId, list]),
    admit: useCallback(() => updateGallery(client, eventId, list, admitArrivals), [client, eventId, list]),
    /** Takes photos of this list that were deleted out of every list. */
    remove: useCallback(
      (ids: readonly string[]) => {
        const loaded = new Set(
          client.getQueryData<Gallery>(photosKey(eventId, list))?.photos.map(({ id }) => id),
        );
        const [own, every] = [photosKey(eventId, list), photosKey(eventId, allPhotos)].map(hashKey);
        const galleries = client.getQueryCache().findAll({ queryKey: photoListsKey(eventId) });
        for (const { queryKey, queryHash } of galleries)
          client.setQueryData<Gallery>(
            queryKey,
            (now) => now && removePhotos(now, ids, queryHash === own || queryHash === every),
          );
        // What is left of a list whose loaded photos are gone is still to be loaded.
        if (ids.some((id) => !loaded.has(id)))
          void client.invalidateQueries({ queryKey: photoListsKey(eventId) });
      },
      [client, eventId, list],
    ),
  };
}
