import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { passUntil } from '../../shared/testing/passUntil';
import { errorResponse, json } from '../../shared/testing/server';
import { KEEPING_NOTICE_VERSION, keepingNotice } from './keeping/notice';
import { storedKeptSearch } from '../../shared/keptSearchStorage';
import {
  eventBody,
  eventRoute,
  match,
  matchList,
  mockFormServer,
  renderEventPage,
  repeatRoute,
  searchBody,
  searchHandlers,
  searchResult,
  searchRoute,
  selfieFile,
} from './testing';

const indexingRoute = `${eventRoute}/indexing`;
const keepRoute = 'POST /api/face/search/aanya-rohan/keep';
const mailRoute = 'POST /api/face/results/mail';
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
  const user = userEvent.setup();
  const server = (repeated: () => Response) =>
    mockFormServer({
      ...searchHandlers({ matches: matchList(2), searchToken: 'sealed', downloadTokens: ['zip'] }),
      [eventRoute]: () => json(eventBody({ tells_guests: 'on', indexing: all(900) })),
      [keepRoute]: () => json({ key: 'kept' }),
      [repeatRoute]: repeated,
      [mailRoute]: () => json({ success: true }),
    });
  const two = () => json(searchBody(searchResult({ matches: matchList(2), indexing: all(900), faces: [] })));
  const search = async () => {
    await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
    await screen.findByRole('heading', { name: 'Your Matched Photos' });
  };
  const openSheet = async (name: RegExp | string) => {
    await user.click(await screen.findByRole('button', { name }));
  };
  const consent = () => screen.getByRole('checkbox', { name: new RegExp(keepingNotice().slice(0, 40)) });
  /** The tab is closed, and the event opened again. */
  const comeBack = (page: { unmount: () => void }) => {
    page.unmount();
    sessionStorage.clear();
    return renderEventPage();
  };

  test('[FACE521] come back without a selfie, new ones first, after a consent of its own', async () => {
    const { callsTo } = server(() =>
      json(searchBody(searchResult({ matches: [...matchList(2), match(9)], indexing: all(900), faces: [] }))),
    );
    const page = renderEventPage();
    await search();
    await openSheet(/^Keep my photos on this/);
    await user.click(screen.getByRole('button', { name: 'Keep my photos here' }));
    expect(callsTo(keepRoute), 'nobody has agreed yet').toHaveLength(0);
    await user.click(consent());
    await user.click(screen.getByRole('button', { name: 'Keep my photos here' }));
    expect(await screen.findByText(/^Your photos are kept here: /)).toBeVisible();
    expect(callsTo(keepRoute)[0]?.body).toEqual({ token: 'sealed', notice_version: KEEPING_NOTICE_VERSION });
    comeBack(page);
    expect(await screen.findByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();
    expect(screen.getByText('1 new photo of you.')).toBeVisible();
    expect(callsTo(searchRoute), 'no selfie was sent').toHaveLength(1);
    expect(callsTo(repeatRoute)[0]?.body).toMatchObject({ token: 'kept', strictness: 'normal' });
    await waitFor(() =>
      expect(storedKeptSearch('aanya-rohan').read()?.seen).toEqual(['photo-9', 'photo-1', 'photo-2']),
    );
  });

  test('[FACE527] are forgotten when the guest wants it', async () => {
    const { callsTo } = server(two);
    storedKeptSearch('aanya-rohan').write({ key: 'kept', seen: [] });
    const page = renderEventPage();
    await openSheet('Your photos are kept here');
    await user.click(screen.getByRole('button', { name: 'Forget me here' }));
    expect(await screen.findByText('Nothing of you is kept here any more.')).toBeVisible();
    expect(localStorage.getItem('keptSearch:aanya-rohan')).toBeNull();
    comeBack(page);
    expect(await screen.findByLabelText('upload a photo')).toBeInTheDocument();
    expect(callsTo(repeatRoute)).toHaveLength(1);
  });

  test('[FACE523] that were revoked ask for a selfie, and are not asked for again', async () => {
    const gone = 'Your photos are not kept here any more. Please take a selfie again.';
    server(() => errorResponse(404, gone, 'search_token_expired'));
    storedKeptSearch('aanya-rohan').write({ key: 'kept', seen: ['photo-1'] });
    renderEventPage();
    expect(await screen.findByRole('alert')).toHaveTextContent(gone);
    expect(screen.getByRole('button', { name: 'Take New Photo' })).toBeVisible();
    expect(storedKeptSearch('aanya-rohan').read()).toBeNull();
  });

  test('a lost connection forgets nothing', async () => {
    server(() => errorResponse(503, 'The service is busy. Please try again in a moment.', 'busy'));
    storedKeptSearch('aanya-rohan').write({ key: 'kept', seen: ['photo-1'] });
    renderEventPage();
    expect(await screen.findByRole('button', { name: 'Search Again' })).toBeVisible();
    expect(storedKeptSearch('aanya-rohan').read()?.key).toBe('kept');
  });

  test('[FACE525] the link to them is mailed', async () => {
    const { callsTo } = server(two);
    renderEventPage();
    await search();
    await openSheet(/^Keep my photos on this/);
    await user.type(screen.getByRole('textbox', { name: 'Your e-mail address' }), ' guest@example.com');
    await user.click(screen.getByRole('button', { name: 'Send me my link' }));
    expect(await screen.findByText('The link is on its way to guest@example.com.')).toBeVisible();
    expect(callsTo(mailRoute)[0]?.body).toMatchObject({ token: 'zip', email: 'guest@example.com' });
  });
});
