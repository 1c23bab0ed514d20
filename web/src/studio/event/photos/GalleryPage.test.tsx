import { i18n } from '@lingui/core';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { selectEvent } from '../../../platform/session/selection';
import { storedSelectedEvent } from '../../../platform/storage/storage';
import { listing } from '../../../testing/events';
import { anEvent, aPhoto } from '../../../testing/fixtures';
import { errorResponse, json } from '../../../testing/server';
import { chooseFilter, deleting, findByName, photos, renderPage, searching, setUpGallery } from './testing';

beforeEach(setUpGallery);

describe('/admin/gallery', () => {
  it("shows 'Select an Event' without one [GAL001] (U51)", async () => {
    renderPage(listing(() => []));
    expect(await screen.findByText('Select an Event')).toBeVisible();
  });

  it("says 'Failed to load events. Please try again.' [GAL007]", async () => {
    renderPage({ 'GET /api/events/search': () => errorResponse(500) });
    expect(await screen.findByText('Failed to load events. Please try again.')).toBeVisible();
  });

  it('counts all photos of the event and shows them lazily [GAL002] [GAL003] [GAL004] [GAL005]', async () => {
    selectEvent(anEvent());
    const server = renderPage({
      'GET /api/photos/search': () => {
        const list = photos(12).map((photo) => ({ ...photo, medium_url: '/files/p1-medium' }));
        return json({ photos: list, total_count: 1234, next_cursor: null });
      },
    });
    expect(await screen.findByText('1234 photos')).toBeVisible();
    expect(server.callsTo('GET /api/photos/search')[0]?.query.get('event_id')).toBe('e1');
    const tile = await screen.findByRole('button', { name: /Open DSC_0\.jpg/ });
    const picture = tile.querySelector('img');
    // The first row is seen at once, and the others while they are scrolled to.
    expect(picture).toHaveAttribute('loading', 'eager');
    expect(picture).toHaveAttribute('fetchpriority', 'high');
    const pictures = [...document.querySelectorAll('[data-photo] img')];
    expect(pictures.at(-1)).toHaveAttribute('loading', 'lazy');
    expect(pictures.at(-1)).not.toHaveAttribute('fetchpriority');
    expect(picture).toHaveAttribute('width', '6000');
    expect(picture).toHaveAttribute('src', '/files/p1-small');
    expect(picture).toHaveAttribute('srcset', '/files/p1-small 480w, /files/p1-medium 1024w');
    expect(picture).toHaveAttribute('sizes', expect.stringMatching(/^\d+px$/));
  });

  it('shows the average color of a photo until its picture is loaded, also before there is one, and the default where it is not known', async () => {
    selectEvent(anEvent());
    const [known, unknown] = photos(2);
    const list = [
      { ...known, average_color: '#a0622d', status: 'processing', thumbnail_url: null },
      { ...unknown, average_color: null },
    ];
    renderPage({ 'GET /api/photos/search': () => json({ photos: list, total_count: 2, next_cursor: null }) });
    const tileOf = async (name: RegExp) => (await screen.findByRole('button', { name })).parentElement;
    expect(await tileOf(/Open DSC_0\.jpg/)).toHaveStyle({ backgroundColor: 'rgb(160, 98, 45)' });
    expect(await tileOf(/Open DSC_1\.jpg/)).not.toHaveAttribute('style');
  });

  it('shows a photo before it is indexed, and tries the next link where the first is gone [GAL432]', async () => {
    selectEvent(anEvent());
    const photo = aPhoto({
      id: 'p1',
      status: 'processing',
      thumbnail_url: null,
      early_url: '/files/p1-early',
    });
    let asked = 0;
    renderPage({
      'GET /api/photos/search': () => {
        asked += 1;
        const early_url = asked === 1 ? '/files/p1-early' : '/files/p1-again';
        return json({ photos: [{ ...photo, early_url }], total_count: 1, next_cursor: null });
      },
    });
    const tile = await screen.findByRole('button', { name: /^Open/ });
    const picture = () => tile.querySelector('img');
    expect(picture()).toHaveAttribute('src', '/files/p1-early');
    fireEvent.load(picture() as HTMLElement);
    expect(picture()).toHaveStyle({ opacity: 1 });
    expect(screen.getByText('Finding faces')).toBeVisible();
    fireEvent.error(picture() as HTMLElement);
    await waitFor(() => expect(picture()).toHaveAttribute('src', '/files/p1-again'));
    expect(screen.queryByText('Failed to load')).not.toBeInTheDocument();
  }, 15_000);

  it("shows 'Failed to load' for a broken picture [GAL006]", async () => {
    selectEvent(anEvent());
    renderPage();
    const tile = await screen.findByRole('button', { name: /Open DSC_0\.jpg/ });
    fireEvent.error(tile.querySelector('img') as HTMLElement);
    expect(await screen.findByText('Failed to load')).toBeVisible();
  });

  it('shows a picture by a newer link after it failed to load by an older one', async () => {
    selectEvent(anEvent());
    let link = '/files/p0-old';
    renderPage({
      'GET /api/photos/search': () =>
        json({
          photos: photos(1).map((photo) => ({ ...photo, thumbnail_url: link, medium_url: `${link}-medium` })),
          total_count: 1,
          next_cursor: null,
        }),
    });
    const tile = await screen.findByRole('button', { name: /Open DSC_0\.jpg/ });
    const picture = () => tile.querySelector('img');
    fireEvent.error(picture() as HTMLElement);
    expect(await screen.findByText('Failed to load')).toBeVisible();
    expect(picture()).toBeNull();
    link = '/files/p0-new';
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(picture()).toHaveAttribute('src', '/files/p0-new'));
    fireEvent.load(picture() as HTMLElement);
    expect(screen.queryByText('Failed to load')).not.toBeInTheDocument();
    expect(picture()).toHaveStyle({ opacity: 1 });
  });

  it("says why a photo could not be processed, and tries again on 'Try again' [UPL195] [UPL196]", async () => {
    selectEvent(anEvent());
    const failed = aPhoto({
      id: 'p1',
      status: 'failed',
      failure: 'The photo could not be processed for several days.',
      average_color: '#a0622d',
      thumbnail_url: null,
    });
    const server = renderPage({
      'GET /api/photos/search': () => json({ photos: [failed], total_count: 1, next_cursor: null }),
      'POST /api/photos/p1/retry': () => json({ ...failed, status: 'processing', failure: null }),
    });
    const reason = await screen.findByText('The photo could not be processed for several days.');
    expect(reason).toBeVisible();
    expect(reason.closest('[style*=background]'), 'no color of the picture behind the text').toBeNull();
    fireEvent.click(screen.getByRole('button', { name: `Try again: ${failed.original_filename}` }));
    expect(
      await screen.findByRole('progressbar', { name: `Finding faces in ${failed.original_filename}` }),
    ).toBeVisible();
    expect(screen.queryByText('Try again')).not.toBeInTheDocument();
    expect(server.callsTo('POST /api/photos/p1/retry')).toHaveLength(1);
  });

  it('says in Hindi why a photo could not be processed', async () => {
    const messages = { ...i18n.messages, 'refusal.image_damaged': ['फ़ोटो खराब है'] };
    i18n.loadAndActivate({ locale: 'hi', locales: 'hi-IN', messages });
    selectEvent(anEvent());
    const failure = 'The image is damaged and cannot be read';
    const photos = ['image_damaged', null].map((code, at) =>
      aPhoto({ id: `p${at}`, status: 'failed', failure, failure_code: code }),
    );
    renderPage({
      'GET /api/photos/search': () => json({ photos, total_count: 2, next_cursor: null }),
    });
    expect(await screen.findByText('फ़ोटो खराब है')).toBeVisible();
    // A reason that an older version wrote stays as it is.
    expect(screen.getByText(failure)).toBeVisible();
    i18n.loadAndActivate({ locale: 'en', locales: 'en-IN', messages: {} });
  });

  it('says so when a photo cannot be tried again [UPL195]', async () => {
    selectEvent(anEvent());
    const failed = aPhoto({ id: 'p1', status: 'failed', failure: 'The image is damaged.' });
    renderPage({
      'GET /api/photos/search': () => json({ photos: [failed], total_count: 1, next_cursor: null }),
      'POST /api/photos/p1/retry': () => errorResponse(503),
    });
    fireEvent.click(await screen.findByRole('button', { name: /Try again/ }));
    expect(await screen.findByText('The photo could not be tried again. Please try again.')).toBeVisible();
    expect(screen.getByText('The image is damaged.')).toBeVisible();
  });

  it('follows next_cursor to the end, also of what is looked for by name [GAL008] (X19)', async () => {
    selectEvent(anEvent());
    const pageOf = ({ query }: { query: URLSearchParams }) => {
      const found = photos(140).filter(({ filename }) => filename.includes(query.get('name') ?? ''));
      const from = Number(query.get('cursor') ?? 0);
      const next_cursor = from + 20 < found.length ? String(from + 20) : null;
      return { photos: found.slice(from, from + 20), total_count: found.length, next_cursor };
    };
    const server = renderPage({
      'GET /api/photos/search': (call) => json(pageOf(call)),
      'GET /api/photos/search/ids': (call) => {
        const { photos: page, next_cursor } = pageOf(call);
        return json({ photo_ids: page.map(({ id }) => id), next_cursor });
      },
    });
    await screen.findByText('All 140');
    findByName(' DSC_1');
    // That no tile is there would also be true before the first list is drawn.
    expect(await screen.findByText('51 of 140 photos')).toBeVisible();
    fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });
    expect(await screen.findByText('Delete 51')).toBeVisible();
    const searches = server.callsTo('GET /api/photos/search/ids').map(({ query }) => query);
    expect(
      searches.filter((query) => query.get('name') === 'DSC_1').map((query) => query.get('cursor')),
    ).toEqual([null, '20', '40']);
  });

  it('selects all photos of a filter whose first page is still on its way', async () => {
    selectEvent(anEvent());
    const arrive: (() => void)[] = [];
    renderPage({
      'GET /api/photos/search': async ({ query }) => {
        if (query.get('name') !== null) await new Promise<void>((resolve) => arrive.push(resolve));
        return json({ photos: photos(3), total_count: 3, next_cursor: null });
      },
    });
    await screen.findByText('All 3');
    findByName('DSC_');
    await waitFor(() => expect(arrive).toHaveLength(1));
    fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });
    arrive[0]?.();
    expect(await screen.findByText('Delete 3')).toBeVisible();
  });

  it('sorts as it is told, and filters by state, by asking the server', async () => {
    selectEvent(anEvent());
    const list = [
      aPhoto({ id: 'b', original_filename: 'b.jpg' }),
      aPhoto({ id: 'a', original_filename: 'a.jpg', status: 'failed' }),
    ];
    const server = renderPage({ 'GET /api/photos/search': searching(list) });
    const shown = () => screen.getAllByRole('listitem').map((item) => item.getAttribute('data-photo'));
    await waitFor(() => expect(shown()).toEqual(['b', 'a']));
    await chooseFilter('By file name');
    await waitFor(() => expect(shown()).toEqual(['a', 'b']));
    await chooseFilter('Failed');
    await waitFor(() => expect(shown()).toEqual(['a']));
    const last = server.lastList();
    expect([last?.get('sort'), last?.get('status'), last?.get('name')]).toEqual(['name', 'failed', null]);
    findByName('b');
    expect(await screen.findByText('No photo is like that.')).toBeVisible();
  });

  it('deletes the selection [GAL422]', async () => {
    selectEvent(anEvent());
    const server = renderPage({ 'POST /api/photos/trash': deleting });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select DSC_0.jpg' }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete 1' }));
    await waitFor(() => expect(screen.getByText('Photo deleted.')).toBeVisible());
    await waitFor(() => expect(server.callsTo('POST /api/photos/trash')).toHaveLength(1));
  });

  it('takes a deletion back', async () => {
    selectEvent(anEvent());
    const list = photos(2);
    const gone = new Set<string>();
    const server = renderPage({
      'GET /api/photos/search': () => {
        const left = list.filter(({ id }) => !gone.has(id));
        return json({ photos: left, total_count: left.length, next_cursor: null });
      },
      'POST /api/photos/trash': () => {
        gone.add('p0');
        return json({ deleted: 1, photo_ids: ['p0'] });
      },
      'POST /api/photos/trash/restore': () => {
        gone.clear();
        return json({ restored: 1 });
      },
    });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select DSC_0.jpg' }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete 1' }));
    await waitFor(() => expect(screen.getByText('Photo deleted.')).toBeVisible());
    await waitFor(() => expect(document.querySelector('[data-photo=p0]')).toBeNull());
    fireEvent.click(screen.getByText('Undo'));
    await waitFor(() => expect(screen.getByText('Photo restored.')).toBeVisible());
    await waitFor(() => expect(document.querySelector('[data-photo=p0]')).not.toBeNull());
    expect(server.callsTo('POST /api/photos/trash/restore')[0]?.body).toEqual({
      event_id: 'e1',
      photo_ids: ['p0'],
      all: false,
    });
  });
});

describe('the event of the gallery', () => {
  const dinner = anEvent({ id: 'e2', name: 'Dinner', slug: 'dinner-c9xk4bme7u' });
  const bothEvents = listing(() => [anEvent(), dinner]);
  const addressOf = ({ state: { location } }: ReturnType<typeof renderPage>['router']) =>
    location.pathname + location.search;

  it('is put into the address, so that the address alone says whose photos are shown', async () => {
    selectEvent(anEvent());
    const { router } = renderPage(bothEvents);
    expect(await screen.findByRole('heading', { name: 'Sangeet' })).toBeVisible();
    await waitFor(() => expect(addressOf(router)).toBe('/admin/gallery?event=e1'));
    expect(screen.getByRole('link', { name: 'Upload Photos' })).toHaveAttribute(
      'href',
      '/admin/upload?event=e1',
    );
  });

  it('is taken from the address, also when another tab has selected another one', async () => {
    selectEvent(dinner);
    const { callsTo, router } = renderPage(bothEvents, '/admin/gallery?event=e1');
    expect(await screen.findByRole('heading', { name: 'Sangeet' })).toBeVisible();
    expect(callsTo('GET /api/photos/search').map(({ query }) => query.get('event_id'))).toEqual(['e1']);
    expect(storedSelectedEvent.read()?.id).toBe('e1');
    await act(() => router.navigate('/admin/gallery?event=e2'));
    expect(await screen.findByRole('heading', { name: 'Dinner' })).toBeVisible();
    await act(() => router.navigate(-1));
    expect(await screen.findByRole('heading', { name: 'Sangeet' })).toBeVisible();
    expect(storedSelectedEvent.read()?.id).toBe('e1');
  });

  it.each([
    ['that is not there', 'gone', /not among your events/],
    ['that is being deleted', 'e2', /being deleted/],
  ])('asks for another one instead of an event %s', async (_, id, text) => {
    selectEvent(anEvent());
    const { callsTo, router } = renderPage(
      listing(() => [anEvent(), { ...dinner, deleting: true }]),
      `/admin/gallery?event=${id}`,
    );
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByText('Select an Event')).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Sangeet' })).toBeNull();
    expect(callsTo('GET /api/photos/search')).toEqual([]);
    fireEvent.click(await screen.findByRole('button', { name: /Sangeet/ }));
    expect(await screen.findByRole('heading', { name: 'Sangeet' })).toBeVisible();
    expect(addressOf(router)).toBe('/admin/gallery?event=e1');
  });
});
