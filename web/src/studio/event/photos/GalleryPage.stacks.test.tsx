import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Photo } from '../../../platform/api/types';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { errorResponse, json } from '../../../testing/server';
import { chooseFilter, photos, renderPage, searching, setUpGallery } from './testing';

const best = 'PUT /api/photos/p2/top-of-stack';

/** Five photos: the second, the third and the fifth are alike, and the third is the best. */
function burst(places = [undefined, 1, 0, undefined, 2]): Photo[] {
  return photos(5).map((photo, at) => {
    const place = places[at];
    return place === undefined ? photo : { ...photo, stack: { id: 'p1', place } };
  });
}

const listed = (list: readonly Photo[]) =>
  json({ photos: list, total_count: list.length, moments: 3, next_cursor: null });
const open = (handlers: Parameters<typeof renderPage>[0] = {}, at?: string) =>
  renderPage({ 'GET /api/photos/search': () => listed(burst()), ...handlers }, at);

/** The numbers of the photos in the grid. */
const shown = () =>
  within(screen.getByRole('list', { name: 'Photos' }))
    .getAllByRole('checkbox')
    .map((box) => Number(/DSC_(\d+)/.exec(box.getAttribute('aria-label') ?? '')?.[1]));

beforeEach(setUpGallery);

it('shows the best of photos that are alike, and the others by a tap [GAL502]', async () => {
  open();
  const more = await screen.findByRole('button', { name: 'Show 2 more like this' });
  expect(more).toHaveTextContent('+2');
  expect(shown()).toEqual([0, 2, 3]);
  expect(screen.getByText('5 photos, 3 moments')).toBeVisible();
  fireEvent.click(more);
  expect(shown()).toEqual([0, 2, 1, 4, 3]);
  fireEvent.click(screen.getByRole('button', { name: 'Show only the best' }));
  expect(shown()).toEqual([0, 2, 3]);

  fireEvent.click(screen.getByRole('button', { name: 'All 5 photos' }));
  expect(shown()).toEqual([0, 2, 1, 4, 3]);
  fireEvent.click(screen.getByRole('button', { name: 'Best of each' }));
  expect(shown()).toEqual([0, 2, 3]);
});

it('has another photo stand for them, [GAL497]', async () => {
  const { callsTo } = open({
    'GET /api/photos/search': () => listed(burst([undefined, 0, 1, undefined, 2])),
    [best]: () => new Response(null, { status: 204 }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Show 2 more like this' }));
  expect(shown()).toEqual([0, 1, 2, 4, 3]);
  fireEvent.click(screen.getByRole('button', { name: 'Use DSC_2.jpg as the best' }));
  await waitFor(() => expect(shown()).toEqual([0, 2, 1, 4, 3]));
  expect(callsTo(best)).toHaveLength(1);
});

it('says why another photo could not be chosen', async () => {
  open({
    'GET /api/photos/search': () => listed(burst([undefined, 0, 1, undefined, 2])),
    [best]: () => errorResponse(409, 'The event is being deleted'),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Show 2 more like this' }));
  fireEvent.click(screen.getByRole('button', { name: 'Use DSC_2.jpg as the best' }));
  expect(await screen.findByText('The event is being deleted')).toBeVisible();
  expect(shown()[1]).toBe(1);
});

it('selects what is seen, and all photos where all are selected', async () => {
  open({
    'GET /api/photos/search/ids': () => json({ photo_ids: burst().map(({ id }) => id), next_cursor: null }),
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select DSC_0.jpg' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select DSC_3.jpg' }), { shiftKey: true });
  expect(screen.getByText('3 photos selected')).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'Select all' }));
  expect(await screen.findByText('5 photos selected')).toBeVisible();
});

it('opens a photo that stands behind another one by its address', async () => {
  open({}, '/admin/gallery?photo=p4');
  const viewer = await screen.findByRole('dialog');
  expect(await within(viewer).findByText('DSC_4.jpg')).toBeVisible();
  expect(within(viewer).getByText('4 of 5')).toBeVisible();
  expect(within(viewer).getByRole('button', { name: 'Use as the best of 3' })).toBeVisible();
});

it('shows every photo where photos were found one by one, and where none are put together', async () => {
  open({ 'GET /api/photos/search': searching(burst()) });
  await screen.findByRole('button', { name: 'Show 2 more like this' });
  expect(screen.queryByText(/moments/)).toBeNull();
  await chooseFilter('Blurred');
  await waitFor(() => expect(shown()).toEqual([0, 1, 2, 3, 4]));
  expect(screen.queryByRole('button', { name: /more like this/ })).toBeNull();
});

it('offers contributors the photos, not the choice of the best', async () => {
  open(listing(() => [anEvent({ role: 'contributor' })]));
  fireEvent.click(await screen.findByRole('button', { name: 'Show 2 more like this' }));
  expect(screen.queryByRole('button', { name: /as the best/ })).toBeNull();
});
