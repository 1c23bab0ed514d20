import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import type { Photo } from '../../../platform/api/types';
import { listing } from '../../../testing/events';
import { anEvent, aPhoto } from '../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../testing/render';
import { json, mockServer } from '../../../testing/server';
import GalleryPage from './GalleryPage';

/** Photos named DSC_0.jpg and on. */
export const photos = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    aPhoto({ id: `p${index}`, original_filename: `DSC_${index}.jpg`, filename: `DSC_${index}.jpg` }),
  );

/** Answers a search as the server does: those whose name and status match, sorted by name if wished. */
export const searching =
  (list: readonly Photo[]) =>
  ({ query }: { query: URLSearchParams }) => {
    const [name, status] = [query.get('name')?.toLowerCase() ?? '', query.get('status')];
    const found = list.filter(
      (photo) =>
        photo.original_filename.toLowerCase().includes(name) && (status === null || photo.status === status),
    );
    if (query.get('sort') === 'name')
      found.sort((one, other) => one.original_filename.localeCompare(other.original_filename));
    return json({ photos: found, total_count: found.length, next_cursor: null });
  };

/** Shows the gallery with two photos, or as the handlers say. `lastList` answers which photos were listed last. */
export function renderPage(overrides: Parameters<typeof mockServer>[0] = {}, at = '/admin/gallery') {
  const server = mockServer({
    ...listing(() => [anEvent({ indexing: { indexed: 1234, waiting: 0, failed: 0, total: 1234 } })]),
    'GET /api/photos/search': () => json({ photos: photos(2), total_count: 1234, next_cursor: null }),
    'GET /api/events/e1/albums': () => json({ albums: [] }),
    ...overrides,
  });
  const { router } = renderEventScreen(<GalleryPage />, at);
  // Beside the list a few of the newest photos are asked for, every few seconds.
  const lastList = () =>
    server.callsTo('GET /api/photos/search').findLast(({ query }) => query.get('limit') === '200')?.query;
  return { ...server, router, lastList };
}

/** Looks for a part of a file name, in the field that the tool opens. */
export function findByName(value: string): void {
  if (screen.queryByRole('searchbox') === null)
    fireEvent.click(screen.getByRole('button', { name: 'Find by file name' }));
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find by file name' }), { target: { value } });
}

/** Chooses in the sheet of filters, and closes it. */
export async function chooseFilter(...names: string[]): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: /^Sort and filter/ }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Sort and filter' }));
  for (const name of names) fireEvent.click(sheet.getByRole('radio', { name }));
  fireEvent.click(sheet.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sort and filter' })).toBeNull());
}

/** A photographer is logged in, and the grid has a width, although jsdom has no layout. */
export function setUpGallery(): void {
  signIn();
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 600));
}

/** Deletes all photos that are named. */
export function deleting({ body }: { body: unknown }) {
  const { photo_ids } = body as { photo_ids: string[] };
  return json({ deleted: photo_ids.length, photo_ids });
}
