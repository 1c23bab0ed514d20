import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Photo } from '../../../platform/api/types';
import { selectEvent } from '../../../platform/session/selection';
import { anEvent, aPhoto } from '../../../testing/fixtures';
import { errorResponse, json } from '../../../testing/server';
import { chooseFilter, photos, renderPage, setUpGallery } from './testing';

beforeEach(setUpGallery);

describe('new photos', () => {
  /** The photos of the server, in pages: a cursor is the id of the photo that the page follows. */
  let list: Photo[] = [];
  const pages = ({ query }: { query: URLSearchParams }) => {
    const cursor = query.get('cursor');
    const from = cursor === null ? 0 : list.findIndex(({ id }) => id === cursor) + 1;
    const page = list.slice(from, from + Number(query.get('limit')));
    const next = from + page.length < list.length ? (page.at(-1)?.id ?? null) : null;
    return json({ photos: page, total_count: list.length, next_cursor: next });
  };
  const answers = {
    'GET /api/photos/search': pages,
    'GET /api/photos/search/ids': () => json({ photo_ids: list.map(({ id }) => id), next_cursor: null }),
  };
  const newPhoto = (index: number) =>
    aPhoto({ id: `n${index}`, original_filename: `NEW_${index}.jpg`, status: 'ready' });
  const scrollTo = (y: number) => {
    Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
    act(() => void window.dispatchEvent(new Event('scroll')));
  };
  const focusWindow = async () => {
    // Photos are looked for again when they are older than 15 s.
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    await act(async () => {
      window.dispatchEvent(new Event('visibilitychange'));
      await vi.advanceTimersByTimeAsync(10);
    });
  };

  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    selectEvent(anEvent());
    list = photos(600);
    scrollTo(0);
    return () => scrollTo(0);
  });

  const loadAllPages = async () => {
    const server = renderPage(answers);
    await screen.findByText('All 600');
    const cursors = () =>
      server.callsTo('GET /api/photos/search').map(({ query }) => query.get('cursor') ?? 'head');
    for (const loaded of [2, 3]) {
      scrollTo(1_000_000 * loaded);
      await waitFor(() => expect(cursors()).toHaveLength(loaded));
      await waitFor(() => expect(document.querySelector(`[data-photo=p${200 * loaded - 1}]`)).not.toBeNull());
    }
    scrollTo(0);
    expect(await screen.findByRole('button', { name: /Open DSC_0\.jpg/ })).toBeVisible();
    expect(cursors()).toEqual(['head', 'p199', 'p399']);
    return { ...server, cursors };
  };

  it('are found by fetching only the newest photos, on focus and by polling', async () => {
    const { callsTo, cursors } = await loadAllPages();
    await focusWindow();
    await focusWindow();
    const asked = cursors().slice(3);
    expect(asked.length).toBeGreaterThan(1);
    expect([...new Set(asked)]).toEqual(['head']);
    expect(callsTo('GET /api/photos/search').at(-1)?.query.get('limit')).toBe('20');
  });

  it('are fetched with the pages that have photos in process, and with no others', async () => {
    const busy = list[200];
    if (busy !== undefined) list[200] = { ...busy, status: 'processing' };
    const { cursors } = await loadAllPages();
    await act(() => vi.advanceTimersByTimeAsync(8000));
    expect([...new Set(cursors().slice(3))]).toEqual(['head', 'p199']);
    list = photos(600);
    await act(() => vi.advanceTimersByTimeAsync(4000));
    const count = cursors().length;
    await act(() => vi.advanceTimersByTimeAsync(12_000));
    expect(cursors().slice(count)).not.toContain('p199');
  });

  it('are inserted at once at the top of the page', async () => {
    renderPage(answers);
    await screen.findByText('All 600');
    list = [newPhoto(0), ...list];
    await act(() => vi.advanceTimersByTimeAsync(16_000));
    expect(await screen.findByRole('button', { name: /Open NEW_0\.jpg/ })).toBeVisible();
    expect(screen.getByText('All 601')).toBeVisible();
    expect(screen.queryByRole('button', { name: /new photo/ })).toBeNull();
  });

  it('wait behind a button when the page is scrolled down', async () => {
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => scrollTo(0));
    renderPage(answers);
    await screen.findByText('All 600');
    scrollTo(900);
    list = [newPhoto(1), newPhoto(0), ...list];
    await act(() => vi.advanceTimersByTimeAsync(16_000));
    const button = await screen.findByRole('button', { name: '2 new photos' });
    expect(screen.queryByRole('button', { name: /Open NEW_/ })).toBeNull();
    expect(screen.getByText('All 602')).toBeVisible();
    fireEvent.click(button);
    expect(await screen.findByRole('button', { name: /Open NEW_1\.jpg/ })).toBeVisible();
    expect(scroll).toHaveBeenCalledWith({ top: 0 });
    expect(screen.queryByRole('button', { name: /new photo/ })).toBeNull();
  });

  it('wait while photos are selected, and are not selected with them', async () => {
    renderPage(answers);
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select DSC_0.jpg' }));
    list = [newPhoto(0), ...list];
    await act(() => vi.advanceTimersByTimeAsync(16_000));
    expect(await screen.findByRole('button', { name: '1 new photo' })).toBeVisible();
    fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });
    expect(await screen.findByText('600 photos selected')).toBeVisible();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(await screen.findByRole('button', { name: /Open NEW_0\.jpg/ })).toBeVisible();
  });

  it('are not those that moved in the order: all stay, and stay selected', async () => {
    await loadAllPages();
    fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });
    expect(await screen.findByText('600 photos selected')).toBeVisible();
    list.splice(5, 0, ...list.splice(60, 1));
    await act(() => vi.advanceTimersByTimeAsync(16_000));
    await waitFor(() => {
      const order = Array.from(document.querySelectorAll('[data-photo]'), (tile) =>
        tile.getAttribute('data-photo'),
      );
      expect(order.indexOf('p60')).toBe(5);
    });
    expect(screen.getByText('600 photos selected')).toBeVisible();
    expect(screen.queryByRole('button', { name: /new photo/ })).toBeNull();
  });

  it('that were deleted elsewhere go, wherever they are', async () => {
    await loadAllPages();
    list = list.filter(({ id }) => id !== 'p450' && id !== 'p3');
    await act(() => vi.advanceTimersByTimeAsync(16_000));
    expect(await screen.findByText('All 598')).toBeVisible();
    fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });
    expect(await screen.findByText('598 photos selected')).toBeVisible();
    expect(document.querySelector('[data-photo=p3]')).toBeNull();
  });
});

it('says when older photos could not be loaded, and loads them on request', async () => {
  selectEvent(anEvent());
  let down = true;
  renderPage({
    'GET /api/photos/search': ({ query }) => {
      const cursor = query.get('cursor');
      if (cursor !== null && down) return errorResponse(500);
      const from = cursor === null ? 0 : 2;
      return json({
        photos: photos(4).slice(from, from + 2),
        total_count: 4,
        next_cursor: from === 0 ? 'p1' : null,
      });
    },
  });
  expect(await screen.findByText('Failed to load photos. Please try again.')).toBeVisible();
  down = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: /Open DSC_3\.jpg/ })).toBeVisible();
  expect(screen.queryByText('Failed to load photos. Please try again.')).toBeNull();
});

it.each(['before', 'after'])(
  'says nothing of older photos that failed to load, where others were chosen %s that',
  async (moment) => {
    selectEvent(anEvent());
    let fail: () => void = () => undefined;
    const failing = new Promise<void>((resolve) => {
      fail = resolve;
    });
    const { callsTo } = renderPage({
      'GET /api/photos/search': async ({ query }) => {
        if (query.get('status') === 'failed')
          return json({ photos: photos(1), total_count: 1, next_cursor: null });
        if (query.get('cursor') === null)
          return json({ photos: photos(2), total_count: 4, next_cursor: 'p1' });
        await failing;
        return errorResponse(500);
      },
    });
    const text = 'Failed to load photos. Please try again.';
    await waitFor(() =>
      expect(callsTo('GET /api/photos/search').map(({ query }) => query.get('cursor'))).toContain('p1'),
    );
    if (moment === 'after') {
      fail();
      expect(await screen.findByText(text)).toBeVisible();
    }
    await chooseFilter('Failed');
    await waitFor(() => expect(document.querySelectorAll('[data-photo]')).toHaveLength(1));
    await act(async () => {
      fail();
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
    expect(screen.queryByText(text)).toBeNull();
  },
);
