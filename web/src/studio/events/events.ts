import { t } from '@lingui/core/macro';
import { api, unwrapResponse } from '../../platform/api/client';

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
export const coverPhotos = (event_id: string, signal: AbortSignal) =>
  unwrapResponse(
    api.GET('/api/photos/search', { params: { query: { event_id, limit: 3 } }, signal }),
    t`The photos could not be loaded.`,
  );
