import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { selectEvent } from '../../../platform/session/selection';
import { anEvent } from '../../../testing/fixtures';
import { json } from '../../../testing/server';
import { deleting, photos, renderPage, setUpGallery } from './testing';

const threePhotos = {
  'GET /api/photos/search': () => json({ photos: photos(3), total_count: 3, next_cursor: null }),
};
const lightbox = () => screen.findByRole('dialog', { name: 'Lightbox' });
const closed = () => waitFor(() => expect(screen.queryByRole('dialog', { name: 'Lightbox' })).toBeNull());

async function openPhoto(index: number, overrides: Parameters<typeof renderPage>[0] = {}) {
  const view = renderPage({ ...threePhotos, ...overrides });
  fireEvent.click(await screen.findByRole('button', { name: new RegExp(`Open DSC_${index}\\.jpg`, 'u') }));
  await lightbox();
  return view;
}

beforeEach(() => {
  setUpGallery();
  selectEvent(anEvent());
});

describe('the lightbox of the gallery', () => {
  it('is closed by going back, and leaves the gallery where it was', async () => {
    const { router } = await openPhoto(1);
    expect(router.state.location.search).toBe('?event=e1&photo=p1');
    await act(() => router.navigate(-1));
    await closed();
    expect(router.state.location.search).toBe('?event=e1');
    expect(screen.getByRole('heading', { name: 'Sangeet' })).toBeVisible();
    await waitFor(() => expect(screen.getByRole('button', { name: /Open DSC_1\.jpg/ })).toHaveFocus());
  });

  it('goes back itself when it is closed, so that the next one back leaves the gallery', async () => {
    const { router } = await openPhoto(1);
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await closed();
    expect(router.state.location.search).toBe('?event=e1');
    expect(router.state.historyAction).toBe('POP');
  });

  it('opens by its URL, also a photo that is not on the first page', async () => {
    const pages = ({ query }: { query: URLSearchParams }) => {
      const from = query.get('cursor') === null ? 0 : 200;
      return json({
        photos: photos(400).slice(from, from + 200),
        total_count: 400,
        next_cursor: from === 0 ? 'p199' : null,
      });
    };
    const { router } = renderPage({ 'GET /api/photos/search': pages }, '/admin/gallery?event=e1&photo=p300');
    expect(await screen.findByText('301 of 400')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await closed();
    expect(router.state.location.search).toBe('?event=e1');
  });

  it('does not open for a photo that is gone', async () => {
    const { router } = renderPage(threePhotos, '/admin/gallery?event=e1&photo=gone');
    await waitFor(() => expect(router.state.location.search).toBe('?event=e1'));
    expect(screen.queryByRole('dialog', { name: 'Lightbox' })).toBeNull();
  });

  it('has name, place, zoom and download', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push(`${this.download} ${this.href}`);
    });
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }),
    );
    const { callsTo } = await openPhoto(1, { 'GET /api/photos/p1/file': () => new Response('bytes') });
    expect(screen.getByText('DSC_1.jpg', { selector: '.yarl__root *' })).toBeVisible();
    expect(screen.getByText('2 of 3')).toBeVisible();
    for (const name of ['Zoom in', 'Zoom out', 'Previous photo', 'Next photo', 'Close'])
      expect(screen.getByRole('button', { name })).toBeInTheDocument();
    expect(screen.getByRole('group', { name: '2 of 3' })).toHaveAttribute('aria-roledescription', 'Photo');
    fireEvent.click(screen.getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(saved).toEqual(['DSC_1.jpg blob:x']));
    expect(callsTo('GET /api/photos/p1/file')[0]?.query.get('size')).toBe('original');
  });

  it('deletes the photo, shows the next one, and leads back to that', async () => {
    const { callsTo } = await openPhoto(1, {
      'POST /api/photos/trash': deleting,
    });
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('2 of 2')).toBeVisible();
    expect(screen.getByText('DSC_2.jpg', { selector: '.yarl__root *' })).toBeVisible();
    expect(screen.getByText('Photo deleted.')).toBeVisible();
    expect(callsTo('POST /api/photos/trash')).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await closed();
    await waitFor(() => expect(screen.getByRole('button', { name: /Open DSC_2\.jpg/ })).toHaveFocus());
  });

  it('shows what is known of the photo on request, by the button or I, and remembers it', async () => {
    const list = photos(2).map((photo, at) => ({
      ...photo,
      size_bytes: 10_276_045,
      ...(at === 0 && {
        captured_at: '2026-11-14T18:30:05.120',
        camera: 'Canon EOS R5',
        lens: 'RF50mm F1.2',
        downloads: 3,
        albums: ['c', 'a'],
      }),
    }));
    await openPhoto(0, {
      'GET /api/photos/search': () => json({ photos: list, total_count: 2, next_cursor: null }),
      'GET /api/events/e1/albums': () =>
        json({
          albums: ['Arrival', 'Blessing', 'Cake'].map((name) => ({ id: name.charAt(0).toLowerCase(), name })),
        }),
    });
    expect(screen.queryByText('Canon EOS R5')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Show details' }));
    expect(await screen.findByText('Canon EOS R5')).toBeVisible();
    expect(screen.getByText('RF50mm F1.2')).toBeVisible();
    const albums = await screen.findByText('Albums', { selector: 'dt' });
    expect(albums.nextElementSibling).toHaveTextContent('Arrival, Cake');
    expect(screen.getByText('6000 × 4000, 9.8 MB')).toBeVisible();
    expect(screen.getByText('Downloaded').nextElementSibling).toHaveTextContent('3 times');
    // The camera's clock, whatever zone the photographer is in.
    expect(screen.getByText('Taken').nextElementSibling).toHaveTextContent(/14 Nov 2026.*30:05/);
    fireEvent.keyDown(document.querySelector('.yarl__container') as HTMLElement, { key: 'ArrowRight' });
    await waitFor(() => expect(screen.queryByText('Camera')).toBeNull());
    expect(screen.getByText('6000 × 4000, 9.8 MB')).toBeVisible();
    expect(screen.getByText('Downloaded').nextElementSibling).toHaveTextContent('Not yet');
    expect(localStorage.getItem('detailsShown')).toBe('true');
    fireEvent.keyDown(document.body, { key: 'i' });
    await waitFor(() => expect(screen.queryByText('6000 × 4000, 9.8 MB')).toBeNull());
  });

  it.each([
    [1, '1 guest said they are not in this photo'],
    [1234, '1,234 guests said they are not in this photo'],
  ])('says how many guests are not in the photo: %i', async (count, text) => {
    const list = photos(2).map((photo, at) => ({ ...photo, not_me_reports: at === 0 ? count : 0 }));
    const overrides = {
      'GET /api/photos/search': () => json({ photos: list, total_count: 2, next_cursor: null }),
    };
    await openPhoto(0, overrides);
    expect(await screen.findByText(text)).toBeVisible();
    fireEvent.keyDown(document.querySelector('.yarl__container') as HTMLElement, { key: 'ArrowRight' });
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  });

  it('says how many hearts guests have put on the photo, in its tile and in the details', async () => {
    const list = photos(2).map((photo, at) => ({ ...photo, hearts: at === 0 ? 1234 : 0 }));
    localStorage.setItem('detailsShown', 'true');
    await openPhoto(0, {
      'GET /api/photos/search': () => json({ photos: list, total_count: 2, next_cursor: null }),
    });
    const tiles = screen.getAllByRole('button', { name: /Open DSC_/, hidden: true });
    expect(tiles.map((tile) => within(tile).queryByText('1,234 hearts') !== null)).toEqual([true, false]);
    expect((await screen.findByText('Hearts')).nextElementSibling).toHaveTextContent('1,234');
    fireEvent.keyDown(document.querySelector('.yarl__container') as HTMLElement, { key: 'ArrowRight' });
    await waitFor(() => expect(screen.queryByText('Hearts')).toBeNull());
  });
});
