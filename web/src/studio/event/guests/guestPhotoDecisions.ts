import { plural, t } from '@lingui/core/macro';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import { formatAmount } from '../../../platform/amounts';
import type { SnackbarMessage } from '../../../ui/useSnackbar';
import { creditsKey } from '../../shared/credits/credits';
import { eventsKey } from '../../shared/events/events';
import { guestPhotosQuery, type WaitingPhotos } from '../../shared/notifications/guestPhotos';
import { photoListsKey } from '../photos/photos';

export type Decision = 'let-in' | 'decline';

/** Most photos that one call decides about. */
const atOnce = 200;

/** Decides about photos; returns how many of them waited until then. */
async function decide(eventId: string, decision: Decision, ids: readonly string[]): Promise<number> {
  let decided = 0;
  for (let from = 0; from < ids.length; from += atOnce) {
    const call = {
      params: { path: { event: eventId } },
      body: { ids: ids.slice(from, from + atOnce) },
    };
    const { photos } = await unwrapResponse(
      decision === 'let-in'
        ? api.POST('/api/events/{event}/guest-photos/let-in', call)
        : api.POST('/api/events/{event}/guest-photos/decline', call),
      t`The decision could not be saved. Please try again.`,
    );
    decided += photos;
  }
  return decided;
}

/** What to say of `asked` photos of which `count` waited: somebody may have let the others in, which guests see then. */
export function decidedMessage(decision: Decision, count: number, asked: number): SnackbarMessage {
  const rest = asked - count;
  const done =
    decision === 'let-in'
      ? plural(count, { one: '# photo is let in.', other: '# photos are let in.' })
      : plural(count, { one: '# photo is declined.', other: '# photos are declined.' });
  if (rest <= 0) return { tone: 'success', text: done };
  const missed = plural(rest, {
    one: '# photo did not wait any more, and may be among the photos of the event.',
    other: '# photos did not wait any more, and may be among the photos of the event.',
  });
  return { tone: 'error', text: count === 0 ? missed : `${done} ${missed}` };
}

/** Lets photos of guests in, or declines them. */
export function useDecision(eventId: string) {
  const client = useQueryClient();
  const { queryKey } = guestPhotosQuery(eventId);
  return useMutation({
    mutationFn: ({ decision, ids }: { decision: Decision; ids: readonly string[] }) =>
      decide(eventId, decision, ids),
    onSuccess: (_, { ids }) =>
      client.setQueryData<WaitingPhotos>(
        queryKey,
        (now) => now && { ...now, photos: now.photos.filter(({ id }) => !ids.includes(id)) },
      ),
    onSettled: () => {
      void client.invalidateQueries({ queryKey });
      void client.invalidateQueries({ queryKey: photoListsKey(eventId) });
      // What was let in is counted, and has cost credits.
      void client.invalidateQueries({ queryKey: eventsKey });
      void client.invalidateQueries({ queryKey: creditsKey });
    },
  });
}

/** A rendition of a photo that waits, to which no link leads. */
export const waitingPictureQuery = (eventId: string, id: string, size: 'thumbnail' | 'preview') =>
  queryOptions({
    queryKey: ['guest-photo', id, size] as const,
    queryFn: async ({ signal }): Promise<Blob> =>
      unwrapResponse(
        api.GET('/api/events/{event}/guest-photos/{id}/file', {
          params: { path: { event: eventId, id }, query: { size } },
          parseAs: 'blob',
          signal,
        }),
        t`Failed to load`,
      ),
    staleTime: Infinity,
    retry: false,
  });

/** What photos cost that are let in, in words. */
export function priceText(photos: number, price: number): string {
  const total = photos * price;
  const amount = formatAmount(total);
  if (photos === 1)
    return price === 0
      ? t`Let in, it costs nothing and is found by selfie.`
      : plural(total, {
          one: `Let in, it costs ${amount} rupee and is found by selfie.`,
          other: `Let in, it costs ${amount} rupees and is found by selfie.`,
        });
  if (price === 0) return t`Let in, they cost nothing and are found by selfie.`;
  return plural(total, {
    one: `Let in, they cost ${amount} rupee and are found by selfie.`,
    other: `Let in, they cost ${amount} rupees and are found by selfie.`,
  });
}
