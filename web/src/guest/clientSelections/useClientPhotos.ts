import { useCallback } from 'react';
import { type Page, usePhotoPages } from '../usePhotoPages';
import { type ClientPhoto, fetchPhotos } from './calls';
import type { MarkSaver } from './markSaver';

const idOf = ({ photo_id: id }: ClientPhoto): string => id;

interface ClientPage extends Page<ClientPhoto> {
  /** The moment of the saver at which it was asked for. */
  askedAt: number;
}

/** The photos of a selection page by page, or those that were chosen when they are asked for; `saver` learns how they are marked. */
export function useClientPhotos(secret: string, chosen: boolean, saver: MarkSaver) {
  const fetchPage = useCallback(
    async (cursor: string | null, signal: AbortSignal): Promise<ClientPage> => {
      // What was just chosen is among those that are chosen, if it can be saved.
      if (chosen) await saver.rested();
      const askedAt = saver.moment();
      const { photos, next_cursor: next = null } = await fetchPhotos(secret, chosen, cursor, signal);
      return { photos, next, receivedAt: Date.now(), askedAt };
    },
    [secret, chosen, saver],
  );
  const learn = useCallback(({ photos, askedAt }: ClientPage) => saver.learn(photos, askedAt), [saver]);
  return usePhotoPages<ClientPhoto, ClientPage>(fetchPage, idOf, learn);
}
