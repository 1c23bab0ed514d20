import { json } from '../../shared/testing/server';

/** Answers the list of all events and its pages. */
export const listing = (events: () => unknown[]) => ({
  'GET /api/events/': () => json(events()),
  'GET /api/events/search': () => json({ events: events(), next_cursor: null }),
});
