import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Photo } from '../../../platform/api/types';
import { selectEvent } from '../../../platform/session/selection';
import { anEvent, aPhoto } from '../../../testing/fixtures';
import { errorResponse, json } from '../../../testing/server';
import { chooseFilter, deleting, photos, renderPage, setUpGallery } from './testing';

beforeEach(() => {
  localStorage.clear();
  setUpGallery();
  selectEvent(anEvent());
});

describe('the faces in the lightbox', () => {
  const place = { x: 0.25, y: 0.5, width: 0.125, height: 0.25 };
  const lightbox = () => screen.findByRole('dialog', { name: 'Lightbox' });
  const boxes = () => [...document.querySelectorAll<HTMLElement>('[data-faces] > *')];
  const faceSwitch = () => screen.getByRole('button', { name: 'Show faces' });
  const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key });

  async function openPhoto(
    faces: readonly number[] = [2, 1],
    answer: () => Response = () => json({ faces: [place, { ...place, x: -0.125, width: 0.25 }] }),
  ) {
    const list = faces.map((count, at) =>
      aPhoto({ id: `p${at}`, original_filename: `${at}.jpg`, faces: count }),
    );
    const view = renderPage({
      'GET /api/photos/search': () => json({ photos: list, total_count: list.length, next_cursor: null }),
      'GET /api/photos/p0/faces': answer,
      'GET /api/photos/p1/faces': () => json({ faces: [place] }),
    });
    fireEvent.click(await screen.findByRole('button', { name: /Open 0\.jpg/ }));
    await lightbox();
    return view;
  }

  it('are boxed and counted on request, by the button or F, and not fetched before', async () => {
    const { callsTo } = await openPhoto();
    expect(faceSwitch()).toHaveAttribute('aria-pressed', 'false');
    expect(callsTo('GET /api/photos/p0/faces')).toEqual([]);
    fireEvent.click(faceSwitch());
    expect(await screen.findByText('2 faces found')).toHaveAttribute('role', 'status');
    await waitFor(() => expect(boxes()).toHaveLength(2));
    expect(boxes()[0]).toHaveStyle({ left: '25%', top: '50%', width: '12.5%', height: '25%' });
    // The part that is in the photo.
    expect(boxes()[1]).toHaveStyle({ left: '0%', width: '12.5%' });
    expect(faceSwitch()).toHaveAttribute('aria-pressed', 'true');
    press('f', screen.getByRole('button', { name: 'Close' }));
    expect(boxes()).toEqual([]);
    expect(screen.queryByText('2 faces found')).toBeNull();
    press('F');
    await waitFor(() => expect(boxes()).toHaveLength(2));
    fireEvent.keyDown(document.body, { key: 'f', ctrlKey: true });
    expect(boxes()).toHaveLength(2);
  });

  it('follow the photo in sight, and the next visit remembers them', async () => {
    await openPhoto();
    fireEvent.click(faceSwitch());
    await waitFor(() => expect(boxes()).toHaveLength(2));
    press('ArrowRight', document.querySelector('.yarl__container') as HTMLElement);
    expect(await screen.findByText('1 face found')).toBeVisible();
    await waitFor(() => expect(boxes()).toHaveLength(1));
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Lightbox' })).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: /Open 0\.jpg/ }));
    await lightbox();
    expect(faceSwitch()).toHaveAttribute('aria-pressed', 'true');
    await waitFor(() => expect(boxes()).toHaveLength(2));
  });

  it('are said to be none, or not to be loaded', async () => {
    const { callsTo } = await openPhoto([0, 1]);
    fireEvent.click(faceSwitch());
    expect(await screen.findByText('No faces found')).toBeVisible();
    expect(callsTo('GET /api/photos/p0/faces')).toEqual([]);
  });

  it('that cannot be loaded are said to be', async () => {
    await openPhoto([2], () => errorResponse(404, 'Photo not found'));
    fireEvent.click(faceSwitch());
    expect(await screen.findByText('2 faces found; their places could not be loaded')).toBeVisible();
    expect(boxes()).toEqual([]);
  });
});

describe("the filter 'No faces'", () => {
  /** Answers the photos without faces in pages, and others without that filter. */
  const searchOf =
    (total: number, size: number, others: readonly Photo[], gone: readonly string[] = []) =>
    ({ query }: { query: URLSearchParams }) => {
      if (query.get('without_faces') !== 'true')
        return json({ photos: others, total_count: 1234, next_cursor: null });
      const without = photos(total)
        .filter(({ id }) => !gone.includes(id))
        .map((photo) => ({ ...photo, faces: 0 }));
      const from = without.findIndex(({ id }) => id === query.get('cursor')) + 1;
      const page = without.slice(from, from + size);
      const next_cursor = from + size < without.length ? page.at(-1)?.id : null;
      return json({ photos: page, total_count: without.length, next_cursor });
    };
  const cursorsOf = ({ callsTo }: ReturnType<typeof renderPage>) => {
    const searches = callsTo('GET /api/photos/search');
    const filtered = searches.filter(({ query }) => query.get('without_faces') === 'true');
    return [...new Set(filtered.map(({ query }) => query.get('cursor')))];
  };

  it('shows what the server gives, a page at a time, and leaves the number of all photos [GAL003]', async () => {
    const view = renderPage({ 'GET /api/photos/search': searchOf(450, 200, photos(2)) });
    await screen.findByRole('button', { name: /Open DSC_1\.jpg/ });
    await chooseFilter('No faces');
    expect(await screen.findByRole('button', { name: /Open DSC_3\.jpg/ })).toBeVisible();
    expect(screen.getByText('1234 photos')).toBeVisible();
    expect(cursorsOf(view)).toEqual([null]);
    expect(screen.getByRole('button', { name: 'Sort and filter, 1 in use' })).toBeVisible();
    await chooseFilter('All');
    await waitFor(() => expect(screen.queryByRole('button', { name: /Open DSC_3\.jpg/ })).toBeNull());
  });

  it('selects and deletes all of them, and says what of the selection it hides [GAL039] [GAL160]', async () => {
    const other = aPhoto({ id: 'other', original_filename: 'other.jpg' });
    const gone: string[] = [];
    const view = renderPage({
      'POST /api/photos/trash': (call) => {
        gone.push('p3');
        return deleting(call);
      },
      'GET /api/photos/search': searchOf(12, 5, [other], gone),
      'GET /api/photos/search/ids': () =>
        json({ photo_ids: photos(12).map(({ id }) => id), next_cursor: null }),
    });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select other.jpg' }));
    await chooseFilter('No faces');
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select DSC_3.jpg' }));
    fireEvent.click(screen.getByRole('button', { name: 'Select all' }));
    expect(await screen.findByText('12 photos selected')).toBeVisible();
    expect(screen.getByText('1 more is hidden by the filter.')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Clear selection' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select DSC_3.jpg' }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete 1' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /Open DSC_3\.jpg/ })).toBeNull());
    expect(view.callsTo('POST /api/photos/trash')).toHaveLength(1);
  });
});
