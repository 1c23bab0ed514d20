import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { storedKeptSearch } from '../platform/storage/keptSearchStorage';
import { json } from '../testing/server';
import { match, mockFormServer, renderEventPage, searchHandlers, selfieFile } from './testing';

const user = userEvent.setup();
const shown = () => screen.getAllByRole('listitem').map((item) => item.getAttribute('data-photo'));

async function openResults() {
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
}

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});

const albums = [
  { id: 'c', name: 'Ceremony' },
  { id: 'd', name: 'Dinner' },
];
const matches = [
  match(1, { albums: ['d'] }),
  match(2),
  match(3, { albums: ['c'] }),
  match(4, { albums: ['c', 'd'] }),
];

test('guests look at their photos album by album, one of two in both [GAL148] [GAL444]', async () => {
  mockFormServer(searchHandlers({ matches, albums }));
  await openResults();
  expect(screen.getByText('4 from Aanya & Rohan')).toBeVisible();
  expect(screen.getByRole('group', { name: 'Albums' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'All' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(screen.getByRole('button', { name: 'Dinner' }));
  expect(screen.getByText('2 from Aanya & Rohan')).toBeVisible();
  expect(shown()).toEqual(['photo-1', 'photo-4']);
  expect(screen.getByRole('button', { name: 'Dinner' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(screen.getByRole('button', { name: 'Ceremony' }));
  expect(shown()).toEqual(['photo-3', 'photo-4']);
  await user.click(screen.getByRole('button', { name: 'All' }));
  expect(shown()).toHaveLength(4);
});

test('nothing is said of albums where there are none', async () => {
  mockFormServer(searchHandlers());
  await openResults();
  expect(screen.queryByRole('group', { name: 'Albums' })).not.toBeInTheDocument();
});

test('those outside the album that is shown stay known to the device that keeps them', async () => {
  mockFormServer({
    ...searchHandlers({ matches, albums, searchToken: 'sealed' }),
    'POST /api/face/search/aanya-rohan/keep': () => json({ key: 'kept' }),
  });
  await openResults();
  const stored = storedKeptSearch('aanya-rohan');
  await user.click(await screen.findByRole('button', { name: /^Keep my photos on this/ }));
  await user.click(screen.getByRole('checkbox', { name: /^I agree that this browser keeps/ }));
  await user.click(screen.getByRole('button', { name: 'Keep my photos here' }));
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  expect(await screen.findByRole('button', { name: 'Your photos are kept here' })).toBeVisible();
  const all = ['photo-1', 'photo-2', 'photo-3', 'photo-4'];
  await waitFor(() => expect(stored.read()?.seen).toEqual(all));
  await user.click(screen.getByRole('button', { name: 'Dinner' }));
  expect(shown()).toEqual(['photo-1', 'photo-4']);
  expect(stored.read()?.seen).toEqual(all);
});
