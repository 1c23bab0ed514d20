import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SnackbarProvider } from '../ui/SnackbarProvider';
import { errorResponse, json } from '../testing/server';
import EventPage from './EventPage';
import type { SearchResult } from './search/matches';
import {
  eventBody,
  eventRoute,
  goBack,
  match,
  mockFormServer,
  oneFace,
  renderEventPage,
  searchBody,
  searchResult,
  searchRoute,
  selfieFile,
} from './testing';

const user = userEvent.setup();
const combineRoute = 'POST /api/face/download';
const results = () => screen.findByRole('heading', { name: 'Your Matched Photos' });
const sheet = () => screen.findByRole('heading', { name: 'Add a friend' });
const shown = () => screen.queryAllByRole('listitem').map((item) => item.getAttribute('data-photo'));
const group = (name: RegExp) => screen.getByRole('button', { name });
const groups = () =>
  [/^Both together/, /^Either of us/, /^Me \(/, /^My friend/].map((name) => group(name).textContent);

const mine = { matches: [match(1), match(2), match(3)], downloadTokens: ['my-token'] };
const theirs = { matches: [match(4), match(3), match(2)], downloadTokens: ['friend-token'] };

type Answer = (face: string | undefined) => Response | Promise<Response>;
const found =
  (overrides: Partial<SearchResult>): Answer =>
  () =>
    json(searchBody(searchResult(overrides)));

/** Answers a search by the name of its selfie. */
function serve(answers: Record<string, Answer>, indexed: () => number = () => 412) {
  return mockFormServer({
    [eventRoute]: () =>
      json(eventBody({ indexing: { indexed: indexed(), waiting: 900 - indexed(), total: 900 } })),
    [searchRoute]: ({ form }) => {
      const [image] = form['image'] as File[];
      const answer = answers[image?.name ?? ''];
      if (answer === undefined) throw new Error(`no answer for ${image?.name}`);
      return answer(form['face']?.[0] as string | undefined);
    },
    [combineRoute]: () => json({ download_token: 'chosen' }, 201),
    'HEAD /api/face/download/chosen.zip': () => new Response(null),
    'POST /api/face/not-me': () => new Response(null, { status: 204 }),
  });
}

async function openResults() {
  const view = renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile('me.png'));
  await results();
  return view;
}

async function addFriend() {
  await user.click(screen.getByRole('button', { name: 'Add a friend' }));
  await sheet();
  await user.upload(screen.getByLabelText('upload a photo'), selfieFile('friend.png'));
}

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('two people', () => {
  test('see the photos of both, of either and of each, with their numbers', async () => {
    serve({ 'me.png': found(mine), 'friend.png': found(theirs) });
    await openResults();
    await addFriend();
    await results();
    expect(groups()).toEqual(['Both together (2)', 'Either of us (4)', 'Me (3)', 'My friend (3)']);
    expect(group(/^Both together/)).toHaveAttribute('aria-pressed', 'true');
    expect(shown()).toEqual(['photo-2', 'photo-3']);
    expect(screen.getByText('2 from Aanya & Rohan')).toHaveAttribute('role', 'status');
    // A number of one of them would contradict that of both.
    expect(screen.queryByText('3 matches found.')).not.toBeInTheDocument();
    const heading = await results();
    await waitFor(() => expect(heading).toHaveFocus());
    await user.click(group(/^Either of us/));
    expect(shown()).toEqual(['photo-1', 'photo-2', 'photo-3', 'photo-4']);
    await user.click(group(/^My friend/));
    expect(shown()).toEqual(['photo-4', 'photo-3', 'photo-2']);
    await user.click(group(/^Me \(/));
    expect(shown()).toEqual(['photo-1', 'photo-2', 'photo-3']);
    await user.click(screen.getByRole('button', { name: 'Remove my friend' }));
    expect(screen.queryByRole('group', { name: 'Whose photos' })).not.toBeInTheDocument();
    expect(shown()).toHaveLength(3);
    expect(sessionStorage.getItem('faceSearch:friend:aanya-rohan')).toBeNull();
    expect(sessionStorage.getItem('facePreview:friend:aanya-rohan')).toBeNull();
  });

  test.each([
    [/^Both together/, ['my-token'], ['photo-2', 'photo-3']],
    [/^Either of us/, ['my-token', 'friend-token'], ['photo-1', 'photo-2', 'photo-3', 'photo-4']],
    [/^My friend/, ['friend-token'], ['photo-4', 'photo-3', 'photo-2']],
  ])('the ZIP has exactly the photos that are shown: %s', async (name, tokens, ids) => {
    const server = serve({ 'me.png': found(mine), 'friend.png': found(theirs) });
    await openResults();
    await addFriend();
    await results();
    if (group(name).getAttribute('aria-pressed') !== 'true') await user.click(group(name));
    expect(group(new RegExp(`^Download All Photos \\(${ids.length}\\)`))).toBeVisible();
    await user.click(group(/^Download all as one ZIP$/));
    await waitFor(() => expect(server.callsTo(combineRoute)).toHaveLength(1));
    expect(server.callsTo(combineRoute)[0]?.body).toEqual({ tokens, photo_ids: ids });
  });

  test('survive a reload, with the photos that were chosen last', async () => {
    serve({ 'me.png': found(mine), 'friend.png': found(theirs) });
    const view = await openResults();
    await addFriend();
    await results();
    await user.click(group(/^Either of us/));
    view.unmount();
    render(
      <SnackbarProvider>
        <EventPage slug="aanya-rohan" onMissing={() => undefined} />
      </SnackbarProvider>,
    );
    await results();
    expect(group(/^Either of us/)).toHaveAttribute('aria-pressed', 'true');
    expect(shown()).toHaveLength(4);
  });

  test('no photo of both is said in words', async () => {
    serve({ 'me.png': found(mine), 'friend.png': found({ matches: [match(9)] }) });
    await openResults();
    await addFriend();
    expect(await screen.findByText('No photo has both of you yet.')).toBeVisible();
    expect(groups()).toEqual(['Both together (0)', 'Either of us (4)', 'Me (3)', 'My friend (1)']);
  });

  test('Back leaves the selfie of the friend for the results, and so does the button', async () => {
    serve({ 'me.png': found(mine) });
    await openResults();
    await user.click(screen.getByRole('button', { name: 'Add a friend' }));
    const asked = await sheet();
    await waitFor(() => expect(asked).toHaveFocus());
    await goBack();
    const heading = await results();
    await waitFor(() => expect(heading).toHaveFocus());
    expect(shown()).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: 'Add a friend' }));
    await sheet();
    await user.click(screen.getByRole('button', { name: 'Back to your photos' }));
    expect(await results()).toBeVisible();
  });

  test('a failed search keeps the guest’s results and is tried again', async () => {
    let answer: Answer = () => errorResponse(503, 'The service is busy.');
    serve({ 'me.png': found(mine), 'friend.png': (face) => answer(face) });
    await openResults();
    await addFriend();
    expect(await screen.findAllByText('The service is busy.')).not.toHaveLength(0);
    answer = found(theirs);
    await user.click(screen.getByRole('button', { name: 'Search Again' }));
    await results();
    expect(groups()[0]).toBe('Both together (2)');
  });

  test('a search can be cancelled', async () => {
    serve({ 'me.png': found(mine), 'friend.png': () => new Promise<Response>(() => undefined) });
    await openResults();
    await addFriend();
    await screen.findByRole('heading', { name: 'Looking for your friend' });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await sheet();
    await user.click(screen.getByRole('button', { name: 'Back to your photos' }));
    expect(await results()).toBeVisible();
  });

  test('the friend is another face of the same selfie', async () => {
    const faces = [oneFace, { ...oneFace, x: 0.7 }];
    const server = serve({
      'me.png': (face) => found(face === '1' ? { ...theirs, faces } : { ...mine, faces })(face),
    });
    renderEventPage();
    await user.upload(await screen.findByLabelText('upload a photo'), selfieFile('me.png'));
    await user.click(await screen.findByRole('button', { name: 'Find me' }));
    await results();
    await user.click(screen.getByRole('button', { name: 'Add a friend' }));
    await user.click(await screen.findByRole('button', { name: 'Choose a face in my selfie' }));
    await screen.findByRole('heading', { name: 'Which one is your friend?' });
    expect(screen.getAllByRole('radio')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Find my friend' }));
    await results();
    expect(server.callsTo(searchRoute).at(-1)?.form['face']).toEqual(['1']);
    expect(groups()[0]).toBe('Both together (2)');
  });

  test('each is taken out of their own results', async () => {
    const server = serve({ 'me.png': found(mine), 'friend.png': found(theirs) });
    await openResults();
    await addFriend();
    await results();
    await user.click(screen.getByRole('button', { name: 'Photo 1 of 2' }));
    await user.click(await screen.findByRole('button', { name: 'More for photo 1' }));
    expect(screen.getByRole('button', { name: "That's not me" })).toBeVisible();
    await user.click(screen.getByRole('button', { name: "That's not my friend" }));
    await screen.findByText('The photo is no longer shown.');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(groups()).toEqual(['Both together (1)', 'Either of us (4)', 'Me (3)', 'My friend (2)']);
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    await waitFor(() =>
      expect(server.callsTo('POST /api/face/not-me').map(({ body }) => body)).toEqual([
        { token: 'friend-token', photo_id: 'photo-2' },
      ]),
    );
  });

  test('photos that arrive are searched for both', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const timed = userEvent.setup({ advanceTimers: (delay) => void vi.advanceTimersByTime(delay) });
    let indexed = 412;
    let both = false;
    const progress = () => ({ indexing: { indexed, waiting: 900 - indexed, total: 900 } });
    const later = () => (both ? [match(7)] : []);
    serve(
      {
        'me.png': (face) => found({ ...mine, ...progress(), matches: [...mine.matches, ...later()] })(face),
        'friend.png': (face) =>
          found({ ...theirs, ...progress(), matches: [...theirs.matches, ...later()] })(face),
      },
      () => indexed,
    );
    renderEventPage();
    await timed.upload(await screen.findByLabelText('upload a photo'), selfieFile('me.png'));
    await results();
    await timed.click(screen.getByRole('button', { name: 'Add a friend' }));
    await sheet();
    await timed.upload(screen.getByLabelText('upload a photo'), selfieFile('friend.png'));
    await results();
    indexed = 500;
    both = true;
    await act(() => vi.advanceTimersByTimeAsync(120_000));
    await waitFor(() => expect(groups()[0]).toBe('Both together (3)'));
    expect(shown()).toEqual(['photo-2', 'photo-3', 'photo-7']);
  });

  test('whoever leaves the results forgets the friend, until they are shown again', async () => {
    serve({ 'me.png': found(mine), 'friend.png': found(theirs) });
    await openResults();
    await addFriend();
    await results();
    // The entry of the friend's search is being left.
    await waitFor(() => expect(window.history.state).toEqual({ depth: 1 }));
    await goBack();
    await screen.findByRole('button', { name: 'Back to your photos' });
    expect(Object.keys(sessionStorage).filter((key) => /^face(Search|Preview)/.test(key))).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Back to your photos' }));
    await results();
    expect(groups()[0]).toBe('Both together (2)');
  });

  test('the friend of one person does not come into the results of the next', async () => {
    const others = { matches: [match(7), match(8)], downloadTokens: ['other-token'] };
    serve({ 'me.png': found(mine), 'friend.png': found(theirs), 'other.png': found(others) });
    await openResults();
    await addFriend();
    await results();
    await waitFor(() => expect(window.history.state).toEqual({ depth: 1 }));
    await goBack();
    await user.upload(await screen.findByLabelText('upload a photo'), selfieFile('other.png'));
    await waitFor(() => expect(shown()).toEqual(['photo-7', 'photo-8']));
    expect(await results()).toBeVisible();
    expect(screen.queryByRole('group', { name: 'Whose photos' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Add a friend' })).toBeVisible();
    expect(sessionStorage.getItem('faceSearch:friend:aanya-rohan')).toBeNull();
  });
});
