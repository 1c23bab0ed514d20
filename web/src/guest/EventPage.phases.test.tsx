import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { passUntil } from '../testing/passUntil';
import { errorResponse, json } from '../testing/server';
import { slowSearchTime } from './search/SearchProgress';
import { unchangedText } from './search/useFaceSearch';
import {
  eventBody,
  eventRoute,
  goBack,
  matchList,
  mockFormServer,
  oneFace,
  renderEventPage,
  searchBody,
  searchHandlers,
  searchResult,
  searchRoute,
  selfieFile,
} from './testing';

const user = userEvent.setup();
const startButton = () => screen.findByRole('button', { name: 'Open camera' });
const results = () => screen.findByRole('heading', { name: 'Your Matched Photos' });
const upload = async () => user.upload(await screen.findByLabelText('upload a photo'), selfieFile());

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: {
      getUserMedia: () => Promise.resolve({ active: true, getTracks: () => [] }),
      enumerateDevices: () => Promise.resolve([]),
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('Back', () => {
  test('[FACE125] leaves the results for the start, and Forward shows them again', async () => {
    mockFormServer(searchHandlers());
    renderEventPage();
    await upload();
    await results();
    await goBack();
    expect(await startButton()).toBeVisible();
    expect(sessionStorage).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Back to your photos' }));
    expect(await results()).toBeVisible();
    await goBack();
    await startButton();
    act(() => window.history.forward());
    expect(await results()).toBeVisible();
  });

  test('[FACE125] closes the camera, and a selfie that is being added', async () => {
    mockFormServer(searchHandlers());
    renderEventPage();
    await user.click(await startButton());
    await screen.findByLabelText('Camera preview');
    // The camera's entry in the history comes after its picture.
    await waitFor(() => expect(window.history.state).toEqual({ depth: 1 }));
    await goBack();
    await waitFor(() => expect(screen.queryByLabelText('Camera preview')).not.toBeInTheDocument());
    await upload();
    await results();
    await user.click(await screen.findByRole('button', { name: 'More for these photos' }));
    await user.click(screen.getByRole('button', { name: 'Add a selfie' }));
    expect(await screen.findByText(/Another selfie, from another side/)).toBeVisible();
    await goBack();
    expect(await results()).toBeVisible();
  });

  test('[FACE121] stops a running search', async () => {
    const server = mockFormServer({
      ...searchHandlers(),
      [searchRoute]: () => new Promise<Response>(() => undefined),
    });
    renderEventPage();
    await upload();
    await screen.findByText('Searching for your photos...');
    await goBack();
    expect(await startButton()).toBeVisible();
    expect(server.callsTo(searchRoute)[0]?.signal.aborted).toBe(true);
  });
});

test('[FACE121] Cancel stops a running search, and brings back the photos it would have replaced', async () => {
  let answer: () => Response | Promise<Response> = () => json(searchBody(searchResult()));
  mockFormServer({ ...searchHandlers(), [searchRoute]: () => answer() });
  renderEventPage();
  await upload();
  await results();
  answer = () => new Promise<Response>(() => undefined);
  await user.click(screen.getByRole('button', { name: 'Search Again' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
});

test('[FACE126] a search that takes long says so', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const fastUser = userEvent.setup({ advanceTimers: (milliseconds) => vi.advanceTimersByTime(milliseconds) });
  mockFormServer({ ...searchHandlers(), [searchRoute]: () => new Promise<Response>(() => undefined) });
  renderEventPage();
  await fastUser.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  expect(await screen.findByText(/a few seconds/)).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(slowSearchTime));
  // The time begins after the text is there.
  expect(await screen.findByText(/longer than usual/)).toBeVisible();
  expect(screen.queryByText(/a few seconds/)).not.toBeInTheDocument();
});

test('[FACE124] after an error of the server the same photo is searched again first', async () => {
  mockFormServer({ ...searchHandlers(), [searchRoute]: () => errorResponse(503, 'The service is busy.') });
  renderEventPage();
  await upload();
  await screen.findAllByText('The service is busy.');
  const [first] = screen.getAllByRole('button', { name: /Search Again|Take New Photo/ });
  expect(first).toHaveAccessibleName('Search Again');
});

describe.each(['Show more', 'Show fewer'])('[FACE127] %s', (name) => {
  /** Clicks it once the results have scrolled into view, and waits for as long as these take. */
  async function adjust(texts: [string, ...string[]]) {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    renderEventPage();
    await upload();
    await results();
    await waitFor(() => expect(scrolled).toHaveBeenCalledOnce());
    const control = screen.getByRole('button', { name });
    await user.click(control);
    for (const text of texts) expect(await screen.findByText(text)).toBeVisible();
    expect(control).toHaveFocus();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(scrolled).toHaveBeenCalledOnce();
    expect(control).toHaveFocus();
  }

  test('that finds no other photos says so, and leaves the page where it is', async () => {
    mockFormServer(searchHandlers());
    await adjust([unchangedText()]);
  });

  test('that finds others says how many there are, and leaves the page where it is', async () => {
    const counts = [3, 5];
    mockFormServer({
      ...searchHandlers(),
      [searchRoute]: () => json(searchBody(searchResult({ matches: matchList(counts.shift() ?? 5) }))),
    });
    await adjust(['5 matches found.']);
    expect(screen.getAllByRole('listitem')).toHaveLength(5);
    expect(screen.queryByText(unchangedText())).not.toBeInTheDocument();
  });
});

test('[FACE128] the focus is on the heading when results arrive', async () => {
  mockFormServer(searchHandlers());
  renderEventPage();
  await upload();
  const heading = await results();
  await waitFor(() => expect(heading).toHaveFocus());
});

test('[FACE129] faces are numbered from left to right, and the first of the answer is preselected', async () => {
  const faces = [0.5, 0.1, 0.8].map((x) => ({ ...oneFace, x, width: 0.1 }));
  const server = mockFormServer(searchHandlers({ faces }));
  renderEventPage();
  await upload();
  expect(await screen.findByRole('radio', { name: 'Face 2' })).toBeChecked();
  await user.click(screen.getByRole('radio', { name: 'Face 1' }));
  await user.click(screen.getByRole('button', { name: 'Find me' }));
  await results();
  expect(server.callsTo(searchRoute)[1]?.form['face']).toEqual(['1']);
});

test('[FACE130] arriving photos are searched again after a failed attempt', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 20 });
  let indexed = 412;
  const answers = [
    () => json(searchBody(searchResult({ matches: matchList(2) }))),
    () => errorResponse(502),
    () => json(searchBody(searchResult({ indexing: { indexed: 500, waiting: 400, total: 900 } }))),
  ];
  const server = mockFormServer({
    [eventRoute]: () =>
      json(eventBody({ indexing: { indexed, waiting: 900 - indexed, failed: 0, total: 900 } })),
    [searchRoute]: () => (answers.shift() ?? (() => errorResponse(500)))(),
  });
  const fastUser = userEvent.setup({ advanceTimers: (milliseconds) => vi.advanceTimersByTime(milliseconds) });
  renderEventPage();
  await fastUser.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await results();
  indexed = 500;
  await passUntil(() => server.callsTo(searchRoute).length === 2);
  await passUntil(() => server.callsTo(searchRoute).length === 3);
  expect(await screen.findByText('1 new photo of you.')).toBeVisible();
});

describe('a search without photos', () => {
  test('leads on: to all photos, to more of them, and to be removed, with the same selfie', async () => {
    const pages = 'GET /api/face/photos/aanya-rohan';
    const server = mockFormServer({
      ...searchHandlers({ matches: [] }),
      [eventRoute]: () => json(eventBody({ browsable: true, expires_at: '2026-12-20T10:00:00Z' })),
      [pages]: () => json({ photos: [], albums: [], total: 0, next_cursor: null }),
      'POST /api/face/objections/aanya-rohan': () => errorResponse(503, 'The service is busy.'),
    });
    renderEventPage();
    await upload();
    expect(await screen.findByText('No matching photos found. Try a different photo!')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Show more' })).toBeVisible();
    expect(await screen.findByText('The photos stay here until 20 Dec 2026.')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Browse all photos' }));
    expect(await screen.findByRole('heading', { name: 'All photos' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Find my photos' }));
    await user.click(await screen.findByRole('button', { name: 'Remove me from the photos' }));
    await user.click(await screen.findByRole('button', { name: 'Use the selfie of my search' }));
    await waitFor(() => expect(server.callsTo('POST /api/face/objections/aanya-rohan')).toHaveLength(1));
    const [asked] = server.callsTo('POST /api/face/objections/aanya-rohan');
    const [searched] = server.callsTo(searchRoute);
    expect(asked?.form['image']).toEqual(searched?.form['image']);
    expect(await screen.findByText('The service is busy.')).toBeVisible();
  });

  test('in an event without photos is no failure', async () => {
    const none = { indexed: 0, waiting: 0, failed: 0, total: 0 };
    mockFormServer({
      ...searchHandlers({ matches: [], subscriptionToken: 'sealed' }),
      [eventRoute]: () => json(eventBody({ indexing: none })),
    });
    renderEventPage();
    await upload();
    expect(
      await screen.findByText('The photos are not here yet. Where shall we write when you are in them?'),
    ).toBeVisible();
    expect(screen.getByRole('form', { name: 'Tell me about new photos' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Search Again' })).not.toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(screen.queryByText(/0 of 0/)).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  });
});
