import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../testing/render';
import { json, mockServer } from '../../../testing/server';
import SharePage from './SharePage';

const user = userEvent.setup();
const url = 'https://photos.example/wall/k7m2x9q4trk7m2x9q4tr';

/** A server with one wall, which the calls of the page change. */
function open({ refuses = false, keepsWall = false, before = () => Promise.resolve() } = {}) {
  const sent: unknown[] = [];
  let wall: object | null = null;
  mockServer({
    ...listing(() => [anEvent()]),
    [`GET /api/events/${anEvent().slug}`]: () => json({ ...anEvent(), studio: null }),
    'GET /api/events/e1/pin': () => json({ pin: null }),
    'GET /api/events/e1/albums': () => json({ albums: [{ id: 'a1', name: 'Dinner' }] }),
    'GET /api/events/e1/wall': () => json({ wall }),
    'PUT /api/events/e1/wall': async ({ body }) => {
      sent.push(body);
      await before();
      if (refuses) return json({ error: 'This album is no longer there', code: 'album_not_found' }, 404);
      wall = { url, created_at: '2026-11-14T18:00:00Z', ...(body as object) };
      return json({ wall });
    },
    'DELETE /api/events/e1/wall': () => {
      sent.push('ended');
      if (keepsWall) return json({ error: 'Not now.', code: 'busy' }, 503);
      wall = null;
      return json({ success: true });
    },
    'GET /api/objections': () => json({ objections: [] }),
    'GET /api/site': () => json({ public_url: 'https://photos.example' }),
    'GET /api/studio': () => json({ studio: null }),
  });
  renderEventScreen(<SharePage />, '/admin/share?event=e1');
  return sent;
}

const card = async () => within(await screen.findByRole('region', { name: 'Live wall' }));

beforeEach(signIn);

it('is off, and made, opened, pointed at an album and ended in one card [GAL459]', async () => {
  const sent = open();
  const wall = await card();
  const create = await wall.findByRole('button', { name: 'Create live wall' });
  expect(wall.queryByText(url)).toBeNull();
  await user.click(create);
  expect(await wall.findByText(url)).toBeVisible();
  const link = wall.getByRole('link', { name: 'Open' });
  expect(link).toHaveAttribute('href', url);
  expect(link).toHaveAttribute('rel', 'noreferrer');
  expect(wall.getByRole('button', { name: 'Copy address' })).toBeVisible();

  const photos = wall.getByLabelText('Photos on the wall');
  expect(photos).toHaveDisplayValue('All photos');
  await user.selectOptions(photos, 'Dinner');
  await waitFor(() => expect(photos).toHaveDisplayValue('Dinner'));
  await user.selectOptions(photos, 'All photos');
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent).toEqual([{ album_id: null }, { album_id: 'a1' }, { album_id: null }]);

  // Nothing ends unasked: somebody would have to type the new address into a television.
  await user.click(wall.getByRole('button', { name: 'End wall' }));
  const question = within(await screen.findByRole('dialog', { name: 'End the live wall?' }));
  expect(sent).toHaveLength(3);
  await user.click(question.getByRole('button', { name: 'End wall' }));
  expect(await wall.findByRole('button', { name: 'Create live wall' })).toBeVisible();
  expect(sent.at(-1)).toBe('ended');
});

it('shows the chosen photos while they are saved, one choice after the other [GAL459]', async () => {
  const waiting: (() => void)[] = [];
  let waits = false;
  const sent = open({
    before: () => (waits ? new Promise<void>((resolve) => waiting.push(resolve)) : Promise.resolve()),
  });
  const wall = await card();
  await user.click(await wall.findByRole('button', { name: 'Create live wall' }));
  const photos = await wall.findByLabelText('Photos on the wall');
  waits = true;
  await user.selectOptions(photos, 'Dinner');
  // It keeps the focus meanwhile.
  expect(photos).toHaveDisplayValue('Dinner');
  expect(photos).toBeEnabled();
  expect(photos).toHaveFocus();
  await user.selectOptions(photos, 'All photos');
  expect(photos).toHaveDisplayValue('All photos');
  expect(sent).toHaveLength(2);
  await waitFor(() => expect(waiting).toHaveLength(1));
  waiting[0]?.();
  await waitFor(() => expect(waiting).toHaveLength(2));
  expect(photos).toHaveDisplayValue('All photos');
  waiting[1]?.();
  expect(sent).toEqual([{ album_id: null }, { album_id: 'a1' }, { album_id: null }]);
  await waitFor(() => expect(photos).toHaveDisplayValue('All photos'));
});

it('does not say again why it was not ended', async () => {
  open({ keepsWall: true });
  const wall = await card();
  await user.click(await wall.findByRole('button', { name: 'Create live wall' }));
  const ask = async () => {
    await user.click(await wall.findByRole('button', { name: 'End wall' }));
    return within(await screen.findByRole('dialog', { name: 'End the live wall?' }));
  };
  let question = await ask();
  await user.click(question.getByRole('button', { name: 'End wall' }));
  expect(await question.findByRole('alert')).toBeVisible();
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  question = await ask();
  expect(question.queryByRole('alert')).toBeNull();
});

it('says why it was not changed', async () => {
  open({ refuses: true });
  const wall = await card();
  await user.click(await wall.findByRole('button', { name: 'Create live wall' }));
  expect(await wall.findByText('This album is no longer there')).toBeVisible();
});
