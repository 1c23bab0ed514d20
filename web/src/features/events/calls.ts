import { api, unwrapResponse } from '../../shared/api/client';

export interface NewEvent {
  name: string;
  /** YYYY-MM-DD */
  date: string;
  /** Rupees paid with the event, where a premium plan was bought on the way. */
  payment_amount?: number;
  coupon_code?: string;
}

export const createEvent = (body: NewEvent) =>
  unwrapResponse(
    api.POST('/api/events/', { body }),
    body.payment_amount === undefined ? 'Failed to create event' : 'Failed to create event after payment',
  );

/** Starts a deletion by the event's id, whatever the contract calls that part of the path; its `task_id` is missing when the event was gone at once. */
export const deleteEvent = (id: string) =>
  unwrapResponse(
    api.DELETE('/api/events/{slug}', { params: { path: { slug: id } } }),
    'Failed to delete event. Please try again.',
  );

export const checkTask = (task_id: string) =>
  unwrapResponse(
    api.GET('/api/events/task/{task_id}', { params: { path: { task_id } } }),
    'Unable to check deletion status. Please refresh the page to see updates.',
  );

/** The three newest photos of an event, for its card. */
export const coverPhotos = (event_id: string, signal: AbortSignal) =>
  unwrapResponse(
    api.GET('/api/photos/search', { params: { query: { event_id, limit: 3 } }, signal }),
    'The photos could not be loaded.',
  );
