import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { selectEvent } from '../../../platform/session/selection';
import { listing } from '../../../testing/events';
import { anEvent, aPhoto } from '../../../testing/fixtures';
import { renderEventScreen } from '../../../testing/render';
import { json, mockServer } from '../../../testing/server';
import { photos, renderPage, setUpGallery } from './testing';
import TrashPage from './trash/TrashPage';

const contributed = anEvent({ role: 'contributor', owner_name: 'Mira Sen' });
const asContributor = listing(() => [contributed]);

beforeEach(() => {
  localStorage.clear();
  setUpGallery();
  selectEvent(contributed);
});

it('shows a contributor their photos, without what they cannot do', async () => {
  const { calls } = renderPage(asContributor);
  expect(
    await screen.findByText('The photos that you uploaded. The owner sees all of the event.'),
  ).toBeVisible();
  expect(await screen.findByRole('button', { name: /Open DSC_0\.jpg/ })).toBeVisible();
  for (const name of ['Edit', 'QR Code', 'Albums']) expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByRole('link', { name: 'People' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Trash' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Upload Photos' })).toBeVisible();

  fireEvent.click(screen.getByRole('checkbox', { name: 'Select DSC_0.jpg' }));
  expect(screen.getByRole('button', { name: 'Delete 1' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Download' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add to album' })).toBeNull();
  expect(calls.filter(({ path }) => /albums|events.*objections|people|pin|team/.test(path))).toEqual([]);
});

it('shows a contributor neither faces nor what guests did in the lightbox', async () => {
  const { calls } = renderPage(asContributor);
  await screen.findByText(/The owner sees all/);
  fireEvent.click(await screen.findByRole('button', { name: /Open DSC_0\.jpg/ }));
  await screen.findByRole('dialog', { name: 'Lightbox' });
  fireEvent.click(screen.getByRole('button', { name: 'Show details' }));
  expect(screen.queryByText('Downloaded')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Show faces' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Use as cover' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Delete' })).toBeVisible();
  fireEvent.keyDown(document.body, { key: 'f' });
  expect(calls.some(({ path }) => path.endsWith('/faces'))).toBe(false);
});

it('lets a contributor restore their photos, but remove none for good', async () => {
  mockServer({
    ...asContributor,
    'GET /api/photos/trash': () =>
      json({
        photos: [{ ...aPhoto(), deleted_at: '2026-11-20T10:00:00Z', removed_at: '2026-11-27T10:00:00Z' }],
        total_count: 1,
        next_cursor: null,
      }),
    'GET /api/photos/trash/p1/thumbnail': () => new Response(new Blob()),
  });
  renderEventScreen(<TrashPage />, '/admin/trash?event=e1');
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Select/ }));
  expect(screen.getByRole('button', { name: 'Restore 1' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Restore all' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Delete now' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Empty the trash' })).toBeNull();
});

it("shows a manager who uploaded a photo, and one member's photos alone", async () => {
  const uploader = { id: 'ravi', name: 'Ravi Menon' };
  const all = photos(2).map((photo, index) => (index === 0 ? { ...photo, uploader } : photo));
  const { lastList } = renderPage({
    ...listing(() => [{ ...contributed, role: 'manager' as const }]),
    'GET /api/events/e1/team': () =>
      json({
        owner: { name: 'Mira Sen', photos: 1 },
        members: [{ ...uploader, email: '', role: 'contributor', since: '', photos: 1, is_you: false }],
        invitations: [],
      }),
    'GET /api/photos/search': ({ query }) => {
      const found = all.filter((photo) => query.get('uploader_id') !== 'ravi' || 'uploader' in photo);
      return json({ photos: found, total_count: found.length, next_cursor: null });
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Sort and filter' }));
  const select = await screen.findByLabelText('Uploaded by');
  expect(
    within(select)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Uploaded by everybody', 'Mira Sen (owner)', 'Ravi Menon']);
  await userEvent.selectOptions(select, 'Ravi Menon');
  await waitFor(() => expect(lastList()?.get('uploader_id')).toBe('ravi'));
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  fireEvent.click(await screen.findByRole('button', { name: /Open DSC_0\.jpg/ }));
  await screen.findByRole('dialog', { name: 'Lightbox' });
  fireEvent.click(screen.getByRole('button', { name: 'Show details' }));
  expect(within(screen.getByRole('dialog', { name: 'Lightbox' })).getByText('Ravi Menon')).toBeVisible();
});
