import { useCallback } from 'react';
import { type Page, usePhotoPages } from '../usePhotoPages';
import { type ClientPhoto, fetchPhotos } from './calls';

const idOf = ({ photo_id: id }: ClientPhoto): string => id;

/** The photos of a selection page by page, or those that were chosen when they are asked for. */
export function useClientPhotos(
  secret: string,
  chosen: boolean,
  onPage: (photos: readonly ClientPhoto[]) => void,
) {
  const fetchPage = useCallback(
    async (cursor: string | null, signal: AbortSignal): Promise<Page<ClientPhoto>> => {
      const { photos, next_cursor: next = null } = await fetchPhotos(secret, chosen, cursor, signal);
      return { photos, next, receivedAt: Date.now() };
    },
    [secret, chosen],
  );
  const learn = useCallback(({ photos }: Page<ClientPhoto>) => onPage(photos), [onPage]);
  return usePhotoPages<ClientPhoto, Page<ClientPhoto>>(fetchPage, idOf, learn);
}
