import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { errorResponse } from '../testing/server';
import { mockFormServer, renderEventPage, searchHandlers, selfieFile } from './testing';

const user = userEvent.setup();
const heartRoute = 'POST /api/face/hearts/aanya-rohan';
const combineRoute = 'POST /api/face/download';
const counted = () => new Response(null, { status: 204 });
const handlers = () => ({ ...searchHandlers({ downloadTokens: ['token'] }), [heartRoute]: counted });

const tile = (position: number) => screen.getByRole('button', { name: new RegExp(`^Photo ${position} of `) });
const hearted = (position: number) =>
  within(tile(position).closest('li') as HTMLElement).queryByRole('img', { name: 'Favourite' }) !== null;

/** Puts a heart on a photo in the viewer, or takes it back. */
async function toggleHeart(position: number) {
  const name = hearted(position)
    ? `Remove photo ${position} from your favourites`
    : `Add photo ${position} to your favourites`;
  await user.click(tile(position));
  const viewer = await screen.findByRole('dialog');
  await user.click(within(viewer).getByRole('button', { name }));
  const close = within(viewer).queryByRole('button', { name: 'Close' });
  if (close !== null) await user.click(close);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
}
const favourites = (count: number) => screen.getByRole('button', { name: `Favourites (${count})` });
const shown = () => screen.getAllByRole('listitem').map((item) => item.getAttribute('data-photo'));
const kept = (): unknown => JSON.parse(localStorage.getItem('hearts:aanya-rohan') ?? '[]');

async function openResults() {
  const view = renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
  return view;
}

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});

describe('a heart on a photo', () => {
  test('is put in the viewer, seen on the tile, counted by the server, and taken back', async () => {
    const server = mockFormServer(handlers());
    await openResults();
    expect(hearted(2)).toBe(false);
    await toggleHeart(2);
    expect(hearted(2)).toBe(true);
    expect(hearted(1)).toBe(false);
    await waitFor(() =>
      expect(kept()).toEqual([{ photo: 'photo-2', key: 'events/2', on: true, counted: true }]),
    );
    await toggleHeart(2);
    expect(hearted(2)).toBe(false);
    await waitFor(() => expect(kept()).toEqual([]));
    expect(server.callsTo(heartRoute).map(({ body }) => body)).toEqual([
      { key: 'events/2', on: true },
      { key: 'events/2', on: false },
    ]);
  });

  test('says what it does, and is there after a reload', async () => {
    mockFormServer(handlers());
    const view = await openResults();
    await user.click(tile(2));
    const viewer = await screen.findByRole('dialog', { name: 'Your Matched Photos' });
    await user.click(within(viewer).getByRole('button', { name: 'Add photo 2 to your favourites' }));
    expect(within(viewer).getByRole('button', { name: 'Remove photo 2 from your favourites' })).toBeVisible();
    view.unmount();
    renderEventPage();
    await screen.findByRole('heading', { name: 'Your Matched Photos' });
    expect(hearted(2)).toBe(true);
    expect(hearted(3)).toBe(false);
  });

  test('that could not be counted is the guest’s all the same, and is counted with the next', async () => {
    let answer = () => errorResponse(503, 'The service is busy.');
    const server = mockFormServer({ ...handlers(), [heartRoute]: () => answer() });
    await openResults();
    await toggleHeart(1);
    await waitFor(() => expect(server.callsTo(heartRoute)).toHaveLength(1));
    expect(hearted(1)).toBe(true);
    expect(screen.queryByText('The service is busy.')).not.toBeInTheDocument();
    answer = counted;
    await toggleHeart(3);
    await waitFor(() => expect(server.callsTo(heartRoute)).toHaveLength(3));
    const sent = server.callsTo(heartRoute).map(({ body }) => (body as { key: string }).key);
    expect(sent).toEqual(['events/1', 'events/1', 'events/3']);
  });

  test('is counted when the network is back; taken back before, it never is', async () => {
    let answer = () => errorResponse(429, 'Too many requests');
    const server = mockFormServer({ ...handlers(), [heartRoute]: () => answer() });
    await openResults();
    await toggleHeart(1);
    await waitFor(() => expect(server.callsTo(heartRoute)).toHaveLength(1));
    await toggleHeart(1);
    expect(kept()).toEqual([]);
    await toggleHeart(2);
    await waitFor(() => expect(server.callsTo(heartRoute)).toHaveLength(2));
    answer = counted;
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() =>
      expect(kept()).toEqual([expect.objectContaining({ photo: 'photo-2', counted: true })]),
    );
    expect(server.callsTo(heartRoute).map(({ body }) => (body as { key: string }).key)).toEqual([
      'events/1',
      'events/2',
      'events/2',
    ]);
  });

  test('on a photo that is gone is not counted again and again', async () => {
    const server = mockFormServer({
      ...handlers(),
      [heartRoute]: () => errorResponse(404, 'Photo not found'),
    });
    await openResults();
    await toggleHeart(1);
    await waitFor(() =>
      expect(kept()).toEqual([expect.objectContaining({ photo: 'photo-1', counted: true })]),
    );
    await toggleHeart(2);
    await waitFor(() => expect(server.callsTo(heartRoute)).toHaveLength(2));
    expect(hearted(1)).toBe(true);
  });

  test('is refused with a sentence where the browser keeps nothing', async () => {
    mockFormServer(handlers());
    await openResults();
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await toggleHeart(1);
    expect(
      await screen.findByText('This browser keeps nothing, so that it keeps no favourites either.'),
    ).toBeVisible();
    expect(hearted(1)).toBe(false);
  });
});

describe('the favourites', () => {
  test('are shown alone, in the list, the count and the ZIP', async () => {
    const server = mockFormServer({
      ...handlers(),
      [combineRoute]: () => Response.json({ download_token: 'chosen' }, { status: 201 }),
      'HEAD /api/face/download/chosen.zip': () => new Response(null),
    });
    await openResults();
    expect(screen.queryByRole('button', { name: /^Favourites/ })).not.toBeInTheDocument();
    await toggleHeart(1);
    await toggleHeart(3);
    expect(favourites(2)).toHaveAttribute('aria-pressed', 'false');
    await user.click(favourites(2));
    expect(favourites(2)).toHaveAttribute('aria-pressed', 'true');
    expect(shown()).toEqual(['photo-1', 'photo-3']);
    expect(screen.getByText('2 from Aanya & Rohan')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Your Favourites');
    expect(screen.getByRole('list', { name: 'Your Favourites' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Photo 1 of 2' }));
    const viewer = await screen.findByRole('dialog', { name: 'Your Favourites' });
    await user.click(within(viewer).getByRole('button', { name: 'Close' }));
    await user.click(screen.getByRole('button', { name: 'Download all as one ZIP' }));
    await waitFor(() => expect(server.callsTo(combineRoute)).toHaveLength(1));
    expect(server.callsTo(combineRoute)[0]?.body).toEqual({
      tokens: ['token'],
      photo_ids: ['photo-1', 'photo-3'],
    });
    await user.click(favourites(2));
    expect(shown()).toEqual(['photo-1', 'photo-2', 'photo-3']);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Your Matched Photos');
  });

  test('lose a photo whose heart is taken back; without any, all photos are shown', async () => {
    mockFormServer(handlers());
    await openResults();
    await toggleHeart(1);
    await toggleHeart(3);
    await user.click(favourites(2));
    await toggleHeart(1);
    expect(shown()).toEqual(['photo-3']);
    expect(screen.getByRole('button', { name: 'Photo 1 of 1' })).toHaveFocus();
    await toggleHeart(1);
    expect(shown()).toEqual(['photo-1', 'photo-2', 'photo-3']);
    expect(screen.queryByRole('button', { name: /^Favourites/ })).not.toBeInTheDocument();
    await toggleHeart(2);
    expect(shown()).toHaveLength(3);
  });
});
