import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json } from '../testing/server';
import { shareTimeout } from './downloads/useDownloads';
import type { Match } from './search/matches';
import {
  eventBody,
  eventRoute,
  match,
  matchList,
  mockFormServer,
  renderEventPage,
  searchBody,
  searchResult,
  searchRoute,
  selfieFile,
} from './testing';

const user = userEvent.setup();
const share = vi.fn<(data: { files: File[] }) => Promise<void>>();
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const press = async (name: string | RegExp) => user.click(await button(name));
const all = (count: number, from: number, to: number) =>
  `Download All Photos (${count}) to Photos, ${from} to ${to}`;

const shared = (call: number) => share.mock.calls[call]?.[0].files.map(({ name }) => name);
const namesOf = (...numbers: number[]) => numbers.map((number) => `DSC_${number}.JPG`);

async function openResults(initial: Match[]) {
  let found = initial;
  mockFormServer({
    [eventRoute]: () => json(eventBody({ keeps_names: true })),
    [searchRoute]: () => json(searchBody(searchResult({ matches: found }))),
    'GET /api/photos/download-by-s3': () => json({ download_url: 'https://photos.example/api/files/events' }),
    'GET /api/files/events': () => new Response('a photo'),
  });
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
  return {
    /** What the search finds from now on, and does. */
    findNow: async (matches: Match[]) => {
      found = matches;
      await press('Search Again');
      await screen.findByText(`${matches.length} from Aanya & Rohan`);
    },
  };
}

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone)');
  share.mockReset().mockResolvedValue(undefined);
  Object.assign(navigator, { share, canShare: () => true });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'share');
  Reflect.deleteProperty(navigator, 'canShare');
});

test('[GAL509] the next batch has the new photos too, wherever they come in', async () => {
  const { findNow } = await openResults(matchList(30));
  await press(all(30, 1, 25));
  await press(/^Save 25 photos to Photos/);
  await button(all(30, 26, 30));
  await findNow([match(101), match(102), ...matchList(30)]);
  await press(all(32, 26, 32));
  await press(/^Save 7 photos to Photos/);
  expect(await button(all(32, 1, 25))).toBeVisible();
  expect(shared(1)).toEqual(namesOf(101, 102, 26, 27, 28, 29, 30));
});

test('[GAL509] a photo that comes in while the last batch is fetched is the next one', async () => {
  const { findNow } = await openResults(matchList(30));
  await press(all(30, 1, 25));
  await press(/^Save 25 photos to Photos/);
  await press(all(30, 26, 30));
  const save = await button(/^Save 5 photos to Photos/);
  await findNow([match(101), ...matchList(30)]);
  await user.click(save);
  await press(all(31, 31, 31));
  await press(/^Save 1 photo to Photos/);
  expect(shared(2)).toEqual(namesOf(101));
});

test('[GAL509] photos that are chosen are all offered, whether shared before or not', async () => {
  await openResults(matchList(30));
  await press(all(30, 1, 25));
  await press(/^Save 25 photos to Photos/);
  await button(all(30, 26, 30));
  await press('Choose photos');
  await press('Photo 5 of 30');
  await press('Photo 28 of 30');
  await press('Download Photos (2) to Photos');
  await press(/^Save 2 photos to Photos/);
  expect(await button('Download Photos (2) to Photos')).toBeVisible();
  expect(shared(1)).toEqual(namesOf(5, 28));
});

test('[GAL509] a choice offers what was shared of an earlier one', async () => {
  await openResults(matchList(60));
  await press('Choose photos');
  for (const place of [1, 2]) await press(`Photo ${place} of 60`);
  await press('Download Photos (2) to Photos');
  await press(/^Save 2 photos to Photos/);
  await button('Download Photos (2) to Photos');
  await press('Choose all');
  await press('Choose photos');
  for (const place of [2, 40]) await press(`Photo ${place} of 60`);
  await press('Download Photos (2) to Photos');
  await press(/^Save 2 photos to Photos/);
  expect(shared(1)).toEqual(namesOf(2, 40));
});

test('[GAL510] Done goes on to the next batch where the browser never says that the photos were saved', async () => {
  share.mockReturnValue(new Promise(() => undefined));
  await openResults(matchList(30));
  await press(all(30, 1, 25));
  await press(/^Save 25 photos to Photos/);
  await press('Done');
  expect(await button(all(30, 26, 30))).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Photo 1 downloaded/ })).not.toBeInTheDocument();
});

test('[GAL510] a late answer counts a batch once, and Cancel offers it again', async () => {
  let answer = (): void => undefined;
  share.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  await openResults(matchList(60));
  await press(all(60, 1, 25));
  await press(/^Save 25 photos to Photos/);
  await press('Done');
  await press(all(60, 26, 50));
  await press(/^Save 25 photos to Photos/);
  await button(all(60, 51, 60));
  await act(() => {
    answer();
    return Promise.resolve();
  });
  expect(await button(all(60, 51, 60))).toBeVisible();
  expect(await button(/^Photo 1 downloaded/)).toBeVisible();

  vi.useFakeTimers({ shouldAdvanceTime: true });
  share.mockReturnValueOnce(new Promise(() => undefined));
  fireEvent.click(await button(all(60, 51, 60)));
  fireEvent.click(await button(/^Save 10 photos to Photos/));
  await act(() => vi.advanceTimersByTimeAsync(shareTimeout));
  fireEvent.click(await button('Cancel'));
  await waitFor(async () => expect(await button(all(60, 51, 60))).toBeVisible());
});
