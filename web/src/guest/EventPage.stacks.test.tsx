import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { json } from '../testing/server';
import { saveFile } from '../ui/saveFile';
import type { Match } from './search/matches';
import {
  eventBody,
  eventRoute,
  matchList,
  mockFormServer,
  renderEventPage,
  searchHandlers,
  selfieFile,
} from './testing';

vi.mock('../ui/saveFile');

const user = userEvent.setup();
const zipRoute = 'POST /api/face/download';
const allRoute = 'POST /api/face/photos/aanya-rohan/download';

/** Five photos: the second, the third and the fifth are alike, and the third is the best. */
const burst = (): Match[] =>
  matchList(5).map((match, at) => {
    const place = [null, 1, 0, null, 2][at] ?? null;
    return place === null ? match : { ...match, stack: { id: 'photo-2', place } };
  });

const shown = () =>
  screen
    .getAllByRole('listitem')
    .map((item) => Number(item.getAttribute('data-photo')?.slice('photo-'.length)));
const more = () => screen.findByRole('button', { name: 'Show 2 more like this' });

beforeEach(() => {
  vi.mocked(saveFile).mockClear();
  Element.prototype.scrollIntoView = vi.fn();
});

describe('the photos of a search', () => {
  const open = async () => {
    const server = mockFormServer({
      ...searchHandlers({ matches: burst(), downloadTokens: ['token'] }),
      [zipRoute]: () => json({ download_token: 'combined' }),
      'HEAD /api/face/download/combined.zip': () => new Response(null),
    });
    renderEventPage();
    await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
    await screen.findByRole('heading', { name: 'Your Matched Photos' });
    return server;
  };
  const zipOf = async (button: string) => {
    await user.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
  };

  test('that are alike are one, the best of them, and the others a tap away [GAL502]', async () => {
    await open();
    expect(await more()).toHaveTextContent('+2');
    expect(shown()).toEqual([1, 3, 4]);
    expect(screen.getByText('5 photos, 3 moments')).toBeVisible();
    await user.click(await more());
    expect(shown()).toEqual([1, 3, 2, 5, 4]);
    await user.click(screen.getByRole('button', { name: 'Show only the best' }));
    expect(shown()).toEqual([1, 3, 4]);
    await user.click(screen.getByRole('button', { name: /^Photo 2 of 3/ }));
    const viewer = await screen.findByRole('dialog', { name: 'Your Matched Photos' });
    await user.click(within(viewer).getByRole('button', { name: 'More for photo 2' }));
    await user.click(within(viewer).getByRole('button', { name: 'Show 2 more like this' }));
    expect(within(viewer).getByText('2 of 5')).toBeVisible();
  });

  test('are saved as the best of each, or all of them [FACE550]', async () => {
    const server = await open();
    await more();
    expect(screen.getByRole('button', { name: /^Download Photos \(3\)/ })).toBeEnabled();
    await zipOf('Download 3 as one ZIP');
    expect(server.callsTo(zipRoute).at(-1)?.body).toMatchObject({
      photo_ids: ['photo-1', 'photo-3', 'photo-4'],
    });
    vi.mocked(saveFile).mockClear();
    const all = screen.getByRole('button', { name: 'All 5 photos' });
    await user.click(all);
    expect(all).toHaveAttribute('aria-pressed', 'true');
    expect(screen.getByRole('button', { name: /^Download All Photos \(5\)/ })).toBeEnabled();
    await zipOf('Download all as one ZIP');
    expect(server.callsTo(zipRoute).at(-1)?.body).toMatchObject({
      photo_ids: ['photo-1', 'photo-3', 'photo-2', 'photo-5', 'photo-4'],
    });
  });
});

describe('all photos of an event', () => {
  const open = async (moments?: number) => {
    const server = mockFormServer({
      ...searchHandlers(),
      [eventRoute]: () => json(eventBody({ browsable: true })),
      'GET /api/face/photos/aanya-rohan': () =>
        json({ photos: burst(), total: 5, albums: [], next_cursor: null, ...(moments && { moments }) }),
      [allRoute]: ({ body }) =>
        json({ download_token: 'all', photos: (body as { only_best: boolean }).only_best ? 3 : 5 }, 201),
      'HEAD /api/face/download/all.zip': () => new Response(null),
    });
    renderEventPage();
    await user.click(await screen.findByRole('button', { name: 'Browse all photos' }));
    await screen.findByRole('heading', { name: 'All photos' });
    await screen.findByRole('button', { name: 'Download all' });
    return server;
  };

  test('are told and saved as moments, or one by one [GAL502] [FACE550]', async () => {
    const server = await open(3);
    expect(screen.getByText('5 photos, 3 moments')).toBeVisible();
    expect(shown()).toEqual([1, 3, 4]);
    expect(screen.getByRole('button', { name: /^Photo 3 of 3/ })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Download all' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Download all' }));
    expect(await sheet.findByText('3 photos')).toBeVisible();
    await user.click(sheet.getByRole('button', { name: 'All (5)' }));
    expect(await sheet.findByText('5 photos')).toBeVisible();
    expect(server.callsTo(allRoute).map(({ body }) => body)).toEqual([
      { album_id: null, only_best: true },
      { album_id: null, only_best: false },
    ]);
    await user.click(sheet.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'All 5 photos' }));
    expect(shown()).toEqual([1, 3, 2, 5, 4]);
  });

  test('of an event that puts none together are saved without a choice', async () => {
    await open();
    await user.click(screen.getByRole('button', { name: 'Download all' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Download all' }));
    expect(await sheet.findByText('5 photos')).toBeVisible();
    expect(sheet.queryByRole('button', { name: /^Best of each/ })).toBeNull();
  });
});
