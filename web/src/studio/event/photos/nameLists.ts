import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { Chosen } from '../../shared/events/albums/choices';

/** How the names of photos are written: as a text, as a table, or as a sidecar for each. */
export type NameFormat = 'txt' | 'csv' | 'xmp';

export const stars = [5, 4, 3, 2, 1] as const;
export const labels = ['green', 'red', 'yellow', 'blue', 'purple'] as const;
export type Label = (typeof labels)[number];

export interface NameList {
  format: NameFormat;
  withoutEndings: boolean;
  /** What sidecars say; 0 for none. */
  rating: number;
  label: Label | '';
}

/** The file with the names of these photos of an event. */
export const fetchNames = (
  eventId: string,
  chosen: Chosen,
  { format, withoutEndings, rating, label }: NameList,
): Promise<Blob> =>
  unwrapResponse<Blob>(
    api.POST('/api/photos/names', {
      body: {
        event_id: eventId,
        ...(chosen === 'all' ? { all: true } : { photo_ids: [...chosen], all: false }),
        format,
        without_endings: withoutEndings,
        ...(format === 'xmp' && { rating: rating === 0 ? null : rating, label: label === '' ? null : label }),
      },
      parseAs: 'blob',
    }),
    t`The names could not be listed. Please try again.`,
  );

/** The names themselves, to be copied: a browser copies only what is there when a button is pressed. */
export const namesQuery = (eventId: string, chosen: Chosen, withoutEndings: boolean) =>
  queryOptions({
    queryKey: ['photoNames', eventId, chosen, withoutEndings] as const,
    queryFn: async () => {
      const list: NameList = { format: 'txt', withoutEndings, rating: 0, label: '' };
      const text = await (await fetchNames(eventId, chosen, list)).text();
      return text.split('\n').filter((name) => name !== '');
    },
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });

/** The ending of the file that is saved. */
export const endingOf = {
  txt: 'photos.txt',
  csv: 'photos.csv',
  xmp: 'sidecars.zip',
} as const satisfies Record<NameFormat, string>;
