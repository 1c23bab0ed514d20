import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { autoHideDuration } from '../ui/Snackbar';
import { SnackbarProvider } from '../ui/SnackbarProvider';
import { errorResponse, json } from '../testing/server';
import EventPage from './EventPage';
import {
  eventBody,
  eventRoute,
  matchList,
  mockFormServer,
  renderEventPage,
  searchBody,
  searchHandlers,
  searchResult,
  searchRoute,
  selfieFile,
} from './testing';

const user = userEvent.setup({ advanceTimers: (delay) => void vi.advanceTimersByTime(delay) });
const reportRoute = 'POST /api/face/not-me';
const combineRoute = 'POST /api/face/download';
const found = { downloadTokens: ['token'] };
const handlers = () => ({
  ...searchHandlers(found),
  [reportRoute]: () => new Response(null, { status: 204 }),
});

const results = () => screen.findByRole('heading', { name: 'Your Matched Photos' });
const shown = () => screen.getAllByRole('listitem').map((item) => item.getAttribute('data-photo'));

async function openResults() {
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await results();
}

/** Says it of a photo in the viewer, and closes that. */
async function reject(position: number) {
  await user.click(screen.getByRole('button', { name: new RegExp(`^Photo ${position} of `) }));
  const viewer = await screen.findByRole('dialog');
  await user.click(within(viewer).getByRole('button', { name: `More for photo ${position}` }));
  await user.click(within(viewer).getByRole('button', { name: "That's not me" }));
  const message = await within(viewer).findByText('The photo is no longer shown.');
  expect(message.closest('[aria-live]')).toHaveAttribute('aria-live', 'polite');
  await user.click(within(viewer).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
}

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  Element.prototype.scrollIntoView = vi.fn();
});

describe("'That's not me'", () => {
  test('takes a photo out of the list, the count and what is saved, and gives the next photo the focus', async () => {
    mockFormServer(handlers());
    await openResults();
    await reject(2);
    expect(shown()).toEqual(['photo-1', 'photo-3']);
    expect(screen.getByText('2 from Aanya & Rohan')).toBeVisible();
    expect(screen.getByRole('button', { name: /^Download All Photos \(2\)/ })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Photo 2 of 2' })).toHaveFocus();
  });

  test('in the viewer shows the next photo, and closes it after the last', async () => {
    mockFormServer(handlers());
    await openResults();
    await user.click(screen.getByRole('button', { name: 'Photo 2 of 3' }));
    const viewer = await screen.findByRole('dialog', { name: 'Your Matched Photos' });
    const rejectHere = async (position: number) => {
      await user.click(within(viewer).getByRole('button', { name: `More for photo ${position}` }));
      await user.click(within(viewer).getByRole('button', { name: "That's not me" }));
    };
    await rejectHere(2);
    expect(within(viewer).getByText('2 of 2')).toBeVisible();
    // The keyboard stays in the viewer, with the menu and with the message.
    expect(within(viewer).getByRole('button', { name: 'More for photo 2' })).toHaveFocus();
    await user.click(within(viewer).getByRole('button', { name: 'Undo' }));
    expect(within(viewer).getByText('2 of 3')).toBeVisible();
    expect(within(viewer).getByRole('button', { name: 'More for photo 2' })).toHaveFocus();
    await rejectHere(2);
    expect(viewer.querySelector('img')).not.toBeNull();
    await rejectHere(2);
    await rejectHere(1);
    await waitFor(() => expect(viewer).not.toBeInTheDocument());
    expect(screen.getByText('No photo is left here.')).toBeVisible();
    expect(screen.getByRole('button', { name: /^Download All Photos \(0\)/ })).toBeDisabled();
  });

  test('is undone: the photo is where it was, and is not counted', async () => {
    const server = mockFormServer(handlers());
    await openResults();
    await reject(2);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(shown()).toEqual(['photo-1', 'photo-2', 'photo-3']);
    await wait(2 * autoHideDuration);
    expect(server.callsTo(reportRoute)).toHaveLength(0);
    expect(sessionStorage.getItem('unsentReports')).toBeNull();
  });

  test('is counted for the photographer once it cannot be undone any more', async () => {
    const server = mockFormServer(handlers());
    await openResults();
    await reject(2);
    await wait(autoHideDuration - 1000);
    expect(server.callsTo(reportRoute)).toHaveLength(0);
    await wait(2000);
    const sent = server.callsTo(reportRoute).map(({ body }) => body);
    expect(sent).toEqual([{ token: 'token', photo_id: 'photo-2' }]);
    await waitFor(() => expect(sessionStorage.getItem('unsentReports')).toBeNull());
  });

  test('is counted later when the network was lost, and when the page is left', async () => {
    let answer = () => errorResponse(503, 'The service is busy.');
    const server = mockFormServer({ ...handlers(), [reportRoute]: () => answer() });
    await openResults();
    await reject(2);
    await wait(autoHideDuration + 1000);
    expect(server.callsTo(reportRoute)).toHaveLength(1);
    answer = () => new Response(null, { status: 204 });
    await reject(1);
    await act(async () => {
      window.dispatchEvent(new Event('pagehide'));
      await vi.advanceTimersByTimeAsync(10);
    });
    // One is sent once the other is answered.
    const sent = () => server.callsTo(reportRoute).slice(1);
    const photos = () => sent().map(({ body }) => (body as { photo_id: string }).photo_id);
    await waitFor(() => expect(photos()).toEqual(['photo-2', 'photo-1']));
    await waitFor(() => expect(sessionStorage.getItem('unsentReports')).toBeNull());
  });

  test('survives a reload', async () => {
    mockFormServer(handlers());
    const view = renderEventPage();
    await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
    await results();
    await reject(1);
    view.unmount();
    render(
      <SnackbarProvider>
        <EventPage slug="aanya-rohan" onMissing={() => undefined} />
      </SnackbarProvider>,
    );
    await results();
    expect(shown()).toEqual(['photo-2', 'photo-3']);
  });

  test('searching again does not bring the photo back, and excludes its face', async () => {
    const server = mockFormServer(handlers());
    await openResults();
    await reject(2);
    await user.click(screen.getByRole('button', { name: 'Search Again' }));
    await screen.findByText('2 matches found.');
    expect(shown()).toEqual(['photo-1', 'photo-3']);
    const [first, second] = server.callsTo(searchRoute);
    expect(first?.form['not_me']).toBeUndefined();
    expect(second?.form['not_me']).toEqual(['face-2']);
  });

  test('nor do photos that arrive', async () => {
    let indexed = 412;
    let matches = matchList(3);
    const server = mockFormServer({
      ...handlers(),
      [eventRoute]: () => json(eventBody({ indexing: { indexed, waiting: 900 - indexed, total: 900 } })),
      [searchRoute]: () =>
        json(
          searchBody(
            searchResult({ ...found, matches, indexing: { indexed, waiting: 900 - indexed, total: 900 } }),
          ),
        ),
    });
    await openResults();
    await reject(2);
    indexed = 500;
    matches = matchList(4);
    await wait(120_000);
    await screen.findByText('1 new photo of you.');
    expect(shown()).toEqual(['photo-1', 'photo-3', 'photo-4']);
    expect(server.callsTo(searchRoute).at(-1)?.form['not_me']).toEqual(['face-2']);
  });

  test('the ZIP has exactly the photos that are left', async () => {
    const server = mockFormServer({
      ...handlers(),
      [combineRoute]: () => json({ download_token: 'chosen' }, 201),
      'HEAD /api/face/download/chosen.zip': () => new Response(null),
    });
    await openResults();
    await reject(2);
    await user.click(screen.getByRole('button', { name: 'Download all as one ZIP' }));
    await waitFor(() => expect(server.callsTo(combineRoute)).toHaveLength(1));
    expect(server.callsTo(combineRoute)[0]?.body).toEqual({
      tokens: ['token'],
      photo_ids: ['photo-1', 'photo-3'],
    });
  });
});
