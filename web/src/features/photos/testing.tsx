import { vi } from 'vitest';
import type { Photo } from '../../shared/api/types';
import { listing } from '../../shared/testing/events';
import { anEvent, aPhoto } from '../../shared/testing/fixtures';
import { renderScreen, signIn } from '../../shared/testing/render';
import { json, mockServer } from '../../shared/testing/server';
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

/** Shows the gallery with two photos, or as the handlers say. */
export function renderPage(overrides: Parameters<typeof mockServer>[0] = {}, at = '/admin/gallery') {
  const server = mockServer({
    ...listing(() => [anEvent()]),
    'GET /api/photos/search': () => json({ photos: photos(2), total_count: 1234, next_cursor: null }),
    'GET /api/events/e1/albums': () => json({ albums: [] }),
    ...overrides,
  });
  const { router } = renderScreen(<GalleryPage />, at);
  return { ...server, router };
}

/** A photographer is logged in, and the grid has a width, although jsdom has no layout. */
export function setUpGallery(): void {
  signIn();
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 600));
}
