import { t } from '@lingui/core/macro';
import { api, unwrapResponse } from '../../platform/api/client';
import type { Photo } from '../../platform/api/types';

export interface NewEvent {
  name: string;
  /** YYYY-MM-DD */
  date: string;
  /** Rupees, if a premium plan was bought before the event was created. */
  payment_amount?: number;
  coupon_code?: string;
}

export const createEvent = (body: NewEvent) =>
  unwrapResponse(
    api.POST('/api/events/', { body }),
    body.payment_amount === undefined ? t`Failed to create event` : t`Failed to create event after payment`,
  );

/**
 * Deletes an event by its id, although the path parameter is named slug. The response has no `task_id` if the event was
 * deleted immediately.
 */
export const deleteEvent = (id: string) =>
  unwrapResponse(
    api.DELETE('/api/events/{event}', { params: { path: { event: id } } }),
    t`Failed to delete event. Please try again.`,
  );

export const checkTask = (task_id: string) =>
  unwrapResponse(
    api.GET('/api/events/task/{task_id}', { params: { path: { task_id } } }),
    t`Unable to check deletion status. Please refresh the page to see updates.`,
  );

/** The three newest photos of an event, for its card. */
/** Photos that are looked at to find some that show people. */
const coverCandidates = 12;

type CoverPhoto = Pick<Photo, 'status' | 'thumbnail_url' | 'faces' | 'width' | 'height'>;

/** Photos of few people first, whose faces are seen in a small picture, and of those the ones that are not upright. */
const coverRank = ({ faces, width, height }: CoverPhoto): number =>
  (faces === 0 ? 4 : faces > 8 ? 2 : 0) + (width < height ? 1 : 0);

/** Those that stand for an event in which no cover is chosen, out of its newest: searchable ones, the best first. */
export const coverChoice = <P extends CoverPhoto>(photos: readonly P[]): P[] =>
  photos
    .filter(({ status, thumbnail_url }) => status === 'ready' && (thumbnail_url ?? '') !== '')
    .sort((one, other) => coverRank(one) - coverRank(other))
    .slice(0, 3);

export const coverPhotos = (event_id: string, signal: AbortSignal) =>
  unwrapResponse(
    api.GET('/api/photos/search', { params: { query: { event_id, limit: coverCandidates } }, signal }),
    t`The photos could not be loaded.`,
  );
