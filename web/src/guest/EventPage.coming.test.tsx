import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { passUntil } from '../testing/passUntil';
import { errorResponse, json } from '../testing/server';
import { storedKeptSearch } from '../platform/storage/keptSearchStorage';
import {
  eventBody,
  eventRoute,
  match,
  matchList,
  mockFormServer,
  renderEventPage,
  repeatRoute,
  searchBody,
  searchResult,
  searchRoute,
  selfieFile,
} from './testing';

const indexingRoute = `${eventRoute}/indexing`;
const all = (total: number) => ({ indexed: total, waiting: 0, failed: 0, total });

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: { getUserMedia: vi.fn(), enumerateDevices: () => Promise.resolve([]) },
  });
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  cleanup();
  // What a page has put into the history it takes back; jsdom tells the next page of it, a little later.
  await new Promise((resolve) => setTimeout(resolve, 50));
});

describe('a page that is looked at', () => {
  /** The page of a guest who has found two photos in an evening's first batch, and the server behind it. */
  async function evening() {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 20 });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    let total = 10;
    const found = () =>
      searchResult({
        matches: total === 10 ? matchList(2) : [match(7), ...matchList(2)],
        indexing: all(total),
        searchToken: 'sealed',
      });
    const server = mockFormServer({
      [eventRoute]: () => json(eventBody({ indexing: all(10) })),
      [indexingRoute]: () => json(all(total)),
      [searchRoute]: () => json(searchBody(found())),
      [repeatRoute]: () => json({ ...searchBody(found()), faces: [] }),
    });
    renderEventPage();
    await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
    await screen.findByRole('button', { name: 'Download All Photos (2)' });
    return {
      server,
      arrive: () => {
        total = 14;
      },
    };
  }

  test('[FACE526] shows the photos of a later batch, without sending the selfie again', async () => {
    const { server, arrive } = await evening();
    await passUntil(() => server.callsTo(indexingRoute).length === 2);
    expect(server.callsTo(eventRoute)).toHaveLength(1);
    expect(server.callsTo(repeatRoute)).toHaveLength(0);
    arrive();
    await passUntil(() => screen.queryByRole('button', { name: 'Download All Photos (3)' }) !== null);
    expect(screen.getByText('1 new photo of you.')).toBeVisible();
    expect(server.callsTo(searchRoute)).toHaveLength(1);
    expect(server.callsTo(repeatRoute)[0]?.body).toMatchObject({ token: 'sealed', found_before: true });
  });

  test('[FACE526] asks again only when somebody looks', async () => {
    const { server } = await evening();
    const asked = () => server.calls.filter(({ route }) => route.startsWith(eventRoute)).length;
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await act(() => vi.advanceTimersByTimeAsync(300_000));
    const before = asked();
    expect(before).toBeLessThanOrEqual(2);
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(asked()).toBe(before + 1));
    expect(server.callsTo(eventRoute), 'all of the event may have changed').toHaveLength(2);
  });
});

test('the selfie is sent once more when the token of its search has ended', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 20 });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  let total = 10;
  const server = mockFormServer({
    [eventRoute]: () => json(eventBody({ indexing: all(total) })),
    [searchRoute]: () =>
      json(
        searchBody(searchResult({ matches: matchList(total / 5), indexing: all(total), searchToken: 'old' })),
      ),
    [repeatRoute]: () => errorResponse(404, 'Please take a selfie again.', 'search_token_expired'),
  });
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('button', { name: 'Download All Photos (2)' });
  total = 15;
  await act(() => vi.advanceTimersByTimeAsync(70_000));
  expect(await screen.findByRole('button', { name: 'Download All Photos (3)' })).toBeVisible();
  expect(server.callsTo(searchRoute)).toHaveLength(2);
});

describe('photos that a device keeps', () => {
  const server = (repeated: () => Response) =>
    mockFormServer({
      [eventRoute]: () => json(eventBody({ tells_guests: 'on', indexing: all(900) })),
      [repeatRoute]: repeated,
    });
  const three = () => {
    const matches = [...matchList(2), match(9)];
    return json(searchBody(searchResult({ matches, indexing: all(900), faces: [], searchToken: 'sealed' })));
  };
  const stored = storedKeptSearch('aanya-rohan');

  test('[FACE521] come back without a selfie, new ones first', async () => {
    const { callsTo } = server(three);
    stored.write({ key: 'kept', seen: ['photo-1', 'photo-2'], strictness: 'loose' });
    renderEventPage();
    expect(await screen.findByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();
    expect(screen.getByText('1 new photo of you.')).toBeVisible();
    expect(callsTo(searchRoute), 'no selfie was sent').toHaveLength(0);
    expect(callsTo(repeatRoute)[0]?.body).toMatchObject({ token: 'kept', strictness: 'loose' });
    await waitFor(() => expect(stored.read()?.seen).toEqual(['photo-9', 'photo-1', 'photo-2']));
    expect(await screen.findByRole('button', { name: 'Your photos are kept here' })).toBeVisible();
    expect(sessionStorage.getItem('faceSearch:aanya-rohan'), 'the next visit has fresh ones').toBeNull();
  });

  test("come back without what 'That's not me' was said of, whose face the search excludes", async () => {
    const { callsTo } = server(three);
    const rejected = [{ photo: 'photo-2', face: 'face-2' }];
    stored.write({ key: 'kept', seen: ['photo-1'], rejected });
    renderEventPage();
    expect(await screen.findByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();
    expect(callsTo(repeatRoute)[0]?.body).toMatchObject({ token: 'kept', not_me: ['face-2'] });
    const shown = screen.getAllByRole('listitem').map((item) => item.getAttribute('data-photo'));
    expect(shown).toEqual(['photo-9', 'photo-1']);
    await waitFor(() => expect(stored.read()).toMatchObject({ seen: ['photo-9', 'photo-1'], rejected }));
  });

  test('[FACE523] that were revoked ask for a selfie, and are not asked for again', async () => {
    const gone = 'Your photos are not kept here any more. Please take a selfie again.';
    server(() => errorResponse(404, gone, 'search_token_expired'));
    stored.write({ key: 'kept', seen: ['photo-1'] });
    renderEventPage();
    expect(await screen.findByRole('alert')).toHaveTextContent(gone);
    expect(screen.getByRole('button', { name: 'Take New Photo' })).toBeVisible();
    expect(stored.read()).toBeNull();
  });

  test('a lost connection forgets nothing', async () => {
    server(() => errorResponse(503, 'The service is busy. Please try again in a moment.', 'busy'));
    stored.write({ key: 'kept', seen: ['photo-1'] });
    renderEventPage();
    expect(await screen.findByRole('button', { name: 'Search Again' })).toBeVisible();
    expect(stored.read()?.key).toBe('kept');
  });
});
