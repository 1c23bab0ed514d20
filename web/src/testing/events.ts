import type { Event } from '../platform/api/types';
import { json, type mockServer } from './server';

type Handlers = Parameters<typeof mockServer>[0];

interface Listed {
  id: string;
  name: string;
  deleting?: boolean;
  role?: Event['role'];
}

/** Answers the pages and lookups of the photographer's events and of those shared with them, newest first. */
export const listing = (events: () => readonly Listed[]): Handlers => ({
  'GET /api/events/search': ({ query }) => {
    const part = (query.get('name') ?? '').toLowerCase();
    const ids = query.get('ids')?.split(',');
    const found = events().filter(
      ({ id, name, deleting, role = 'owner' }) =>
        name.toLowerCase().includes(part) &&
        // Ids are looked for among both.
        (ids?.includes(id) ?? (role !== 'owner') === (query.get('shared') === 'true')) &&
        (query.get('deleting') !== 'true' || deleting === true),
    );
    const from = found.findIndex(({ id }) => id === query.get('cursor')) + 1;
    const page = found.slice(from, from + Number(query.get('limit') ?? 50));
    const more = from + page.length < found.length;
    return json({ events: page, next_cursor: more ? page.at(-1)?.id : null });
  },
});
