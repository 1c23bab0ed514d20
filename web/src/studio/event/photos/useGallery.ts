import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchPhotoPage, largestPage, pageSize, photoListsKey, type PhotoList, photosKey } from './photos';
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
  const [loadFailed, setLoadFailed] = useState(false);
  const loading = useRef<{ list: PhotoList; page: Promise<boolean> } | null>(null);
  const left = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    left.current = controller;
    return () => controller.abort();
  }, []);

  const loadPage = useCallback(
    async (limit: number): Promise<boolean> => {
      const cursor = client.getQueryData<Gallery>(photosKey(eventId, list))?.nextCursor ?? null;
      const signal = left.current?.signal;
      if (cursor === null || signal === undefined) return false;
      setLoadFailed(false);
      try {
        const page = await fetchPhotoPage(eventId, list, cursor, signal, limit);
        updateGallery(client, eventId, list, (now) =>
          now.nextCursor === cursor ? appendPage(now, page) : now,
        );
        return (page.next_cursor ?? null) !== null;
      } catch {
        if (!signal.aborted) setLoadFailed(true);
        return false;
      }
    },
    [client, eventId, list],
  );

  /** Loads the next page of older photos; resolves to whether there are more after it. */
  const loadNext = useCallback(
    (limit: number): Promise<boolean> => {
      // A page of another list, which the filter showed before, is not waited for.
      if (loading.current?.list === list) return loading.current.page;
      const page = loadPage(limit).finally(() => {
        if (loading.current?.page === page) loading.current = null;
      });
      loading.current = { list, page };
      return page;
    },
    [list, loadPage],
  );
  const loadMore = useCallback(() => loadNext(pageSize), [loadNext]);

  /** Loads all photos; resolves to them, or to null if that failed or was cancelled. */
  const loadAll = useCallback(
    async (signal?: AbortSignal): Promise<Gallery | null> => {
      const cancelled = () => signal?.aborted === true;
      // Right after a filter was changed not even the first page is there.
      try {
        await client.query({ ...galleryQuery(eventId, list), staleTime: 'static' });
      } catch {
        return null;
      }
      if (cancelled()) return null;
      while (await loadNext(largestPage)) if (cancelled()) return null;
      const gallery = client.getQueryData<Gallery>(photosKey(eventId, list));
      return gallery?.nextCursor === null ? gallery : null;
    },
    [client, eventId, list, loadNext],
  );

  return {
    gallery: query.data,
    error: query.error,
    isFetching: query.isFetching,
    refetch: query.refetch,
    loadFailed,
    loadMore,
    loadAll,
    admit: useCallback(() => updateGallery(client, eventId, list, admitArrivals), [client, eventId, list]),
    /** Takes photos that were deleted out of every list. */
    remove: useCallback(
      (ids: readonly string[]) =>
        client.setQueriesData<Gallery>(
          { queryKey: photoListsKey(eventId) },
          (now) => now && removePhotos(now, ids),
        ),
      [client, eventId],
    ),
  };
}
