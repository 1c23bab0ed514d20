import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';

/** How often is asked for more, in milliseconds; they are no emergency. */
const interval = 60_000;

/** The photos of guests that wait for the photographer, the oldest first, and what each costs. */
export const guestPhotosQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['guest-photos', eventId],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/events/{event}/guest-photos', { params: { path: { event: eventId } }, signal }),
        t`The photos from guests could not be loaded.`,
      ),
    refetchInterval: interval,
  });

export type WaitingPhotos = Awaited<
  ReturnType<Exclude<ReturnType<typeof guestPhotosQuery>['queryFn'], symbol | undefined>>
>;
export type WaitingPhoto = WaitingPhotos['photos'][number];

/** Photos that one guest has sent. */
export interface SentTogether {
  guest: string;
  /** What the guest is called; null where they did not say. */
  name: string | null;
  photos: WaitingPhoto[];
}

/** The photos by guest, in the order in which each guest's first one came. */
export function byGuest(photos: readonly WaitingPhoto[]): SentTogether[] {
  const groups = new Map<string, SentTogether>();
  for (const photo of photos) {
    const group = groups.get(photo.guest);
    const name = photo.guest_name ?? null;
    if (group === undefined) groups.set(photo.guest, { guest: photo.guest, name, photos: [photo] });
    else {
      group.photos.push(photo);
      group.name ??= name;
    }
  }
  return [...groups.values()];
}
