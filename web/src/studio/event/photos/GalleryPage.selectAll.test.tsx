import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { selectEvent } from '../../../platform/session/selection';
import { anEvent } from '../../../testing/fixtures';
import { errorResponse, json } from '../../../testing/server';
import { deleting, findByName, photos, renderPage, setUpGallery } from './testing';

beforeEach(() => {
  setUpGallery();
  selectEvent(anEvent());
});

describe('the selection of all photos', () => {
  const checkbox = (index: number) => screen.findByRole('checkbox', { name: `Select DSC_${index}.jpg` });

  /** Answers photos in pages of 200, the cursor being the number of those before, and their ids in pages of `size`. */
  const inPages = (list: () => ReturnType<typeof photos>, size = 10_000) => ({
    'GET /api/photos/search': ({ query }: { query: URLSearchParams }) => {
      const [all, from] = [list(), Number(query.get('cursor') ?? 0)];
      const next = from + 200 < all.length ? String(from + 200) : null;
      return json({ photos: all.slice(from, from + 200), total_count: all.length, next_cursor: next });
    },
    'GET /api/photos/search/ids': ({ query }: { query: URLSearchParams }) => {
      const [all, from] = [list(), Number(query.get('cursor') ?? 0)];
      const photo_ids = all.slice(from, from + size).map(({ id }) => id);
      return json({ photo_ids, next_cursor: from + size < all.length ? String(from + size) : null });
    },
  });
  const selectAll = () => fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });

  it('takes all photos of the event with Ctrl+A by their ids, and loads no more photos for it [GAL455]', async () => {
    let left = photos(500);
    const { callsTo } = renderPage({
      ...inPages(() => left),
      'POST /api/photos/trash': (call) => {
        left = [];
        return deleting(call);
      },
    });
    await checkbox(0);
    selectAll();
    const remove = await screen.findByRole('button', { name: 'Delete 500' });
    const pages = callsTo('GET /api/photos/search').filter(({ query }) => query.has('cursor'));
    expect(pages).toEqual([]);
    expect(callsTo('GET /api/photos/search/ids')).toHaveLength(1);
    fireEvent.click(await checkbox(3));
    expect(await screen.findByText('499 photos selected')).toBeVisible();
    fireEvent.click(await checkbox(3));
    fireEvent.click(remove);
    expect(await screen.findByText('No photos yet')).toBeVisible();
    const [deleted] = callsTo('POST /api/photos/trash').map(({ body }) => body as { photo_ids: string[] });
    expect(new Set(deleted?.photo_ids)).toEqual(new Set(photos(500).map(({ id }) => id)));
  });

  it('leaves out what came since the photos were loaded, and what a filter shows is named by it [GAL456]', async () => {
    const come = photos(1).map((photo) => ({ ...photo, id: 'new', original_filename: 'NEW.jpg' }));
    const listed = inPages(() => photos(500));
    const { callsTo } = renderPage({
      ...listed,
      'GET /api/photos/search/ids': ({ query }) =>
        query.get('name') === null
          ? inPages(() => [...come, ...photos(500)])['GET /api/photos/search/ids']({ query })
          : listed['GET /api/photos/search/ids']({ query }),
    });
    await checkbox(0);
    selectAll();
    expect(await screen.findByText('500 photos selected')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Clear selection' }));
    findByName('dsc');
    await waitFor(() =>
      expect(callsTo('GET /api/photos/search').some(({ query }) => query.get('name') === 'dsc')).toBe(true),
    );
    await checkbox(0);
    selectAll();
    expect(await screen.findByText('500 photos selected')).toBeVisible();
    const asked = callsTo('GET /api/photos/search/ids').map(({ query }) => query.get('name'));
    expect(asked).toEqual([null, 'dsc']);
  });

  it('stays as it is where the ids cannot be told, and says so', async () => {
    let down = true;
    const listed = inPages(() => photos(500));
    renderPage({
      ...listed,
      'GET /api/photos/search/ids': (call) =>
        down ? errorResponse(500) : listed['GET /api/photos/search/ids'](call),
    });
    fireEvent.click(await checkbox(1));
    selectAll();
    expect(await screen.findByText('Failed to load photos. Please try again.')).toBeVisible();
    expect(screen.getByText('1 photo selected')).toBeVisible();
    down = false;
    selectAll();
    expect(await screen.findByText('500 photos selected')).toBeVisible();
    expect(screen.queryByText('Failed to load photos. Please try again.')).toBeNull();
  });

  it('puts photos into an album that are not loaded', async () => {
    const { callsTo } = renderPage({
      ...inPages(() => photos(500)),
      'GET /api/events/e1/albums': () =>
        json({ albums: [{ id: 'a1', name: 'Ceremony', photos: 3, cover_url: null }] }),
      'POST /api/photos/album': ({ body }) =>
        json({ photo_ids: (body as { photo_ids: string[] }).photo_ids }),
    });
    await checkbox(0);
    selectAll();
    await screen.findByText('500 photos selected');
    fireEvent.click(screen.getByRole('button', { name: 'Add to album' }));
    expect(await screen.findByRole('dialog', { name: 'Add 500 photos to an album' })).toBeVisible();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Ceremony' }));
    fireEvent.click(screen.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(callsTo('POST /api/photos/album')).toHaveLength(1));
    const [put] = callsTo('POST /api/photos/album').map(({ body }) => body as { photo_ids: string[] });
    expect(put?.photo_ids).toHaveLength(500);
  });

  it('says how many of all photos are there while they are loaded, and can be stopped', async () => {
    let deliver: () => void = () => undefined;
    const listed = inPages(() => photos(500), 400);
    renderPage({
      ...listed,
      'GET /api/photos/search/ids': async (call) => {
        if (call.query.get('cursor') === '400') await new Promise<void>((resolve) => (deliver = resolve));
        return listed['GET /api/photos/search/ids'](call);
      },
    });
    fireEvent.click(await checkbox(1));
    fireEvent.click(screen.getByRole('button', { name: 'Select all' }));
    expect(await screen.findByText('Selecting all photos: 400 of 500')).toHaveTextContent('400');
    const stop = screen.getByRole('button', { name: 'Cancel' });
    stop.focus();
    fireEvent.click(stop);
    expect(await screen.findByText('1 photo selected')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Select all' })).toHaveFocus();
    deliver();
    fireEvent.click(screen.getByRole('button', { name: 'Select all' }));
    expect(await screen.findByText('Selecting all photos: 400 of 500')).toBeVisible();
    deliver();
    expect(await screen.findByText('500 photos selected')).toBeVisible();
  });

  it('takes all photos of a filter that was chosen while the ids of another list were loading', async () => {
    let deliver: () => void = () => undefined;
    const [every, named] = [inPages(() => photos(300)), inPages(() => photos(400))];
    const listOf = ({ query }: { query: URLSearchParams }) => (query.get('name') === null ? every : named);
    renderPage({
      'GET /api/photos/search': (call) => listOf(call)['GET /api/photos/search'](call),
      'GET /api/photos/search/ids': async (call) => {
        // Those of all photos are on their way for long.
        if (listOf(call) === every) await new Promise<void>((resolve) => (deliver = resolve));
        return listOf(call)['GET /api/photos/search/ids'](call);
      },
    });
    await checkbox(1);
    fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });
    expect(await screen.findByText('Selecting all photos: 200 of 300')).toBeVisible();
    findByName('dsc');
    await waitFor(() => expect(screen.queryByText(/^Selecting all photos/)).toBeNull());
    fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });
    await screen.findByText(/^Selecting all photos: \d+ of 400|^400 photos selected/);
    await act(async () => {
      deliver();
      await Promise.resolve();
    });
    expect(await screen.findByText('400 photos selected')).toBeVisible();
  });
});
