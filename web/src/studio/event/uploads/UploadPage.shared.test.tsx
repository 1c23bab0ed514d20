import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { selectEvent } from '../../../platform/session/selection';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../testing/render';
import { json, mockServer } from '../../../testing/server';
import { accepted, choose, image, provider, resetUploads, settle } from './testing';
import UploadPage from './UploadPage';

const shared = anEvent({ role: 'contributor', owner_name: 'Mira Sen' });
const tell = 'The photographer of this event has no credits left.';

function renderShared(event = shared) {
  mockServer({
    ...listing(() => [event]),
    'GET /api/subscription/credits': () =>
      json({ credits: 1, total_credits_earned: 1, total_credits_spent: 0, is_first_recharge: true }),
    'HEAD /api/health': () => new Response(null),
  });
  return renderEventScreen(<UploadPage />, '/admin/upload', provider);
}

beforeEach(() => {
  resetUploads();
  signIn();
  selectEvent(shared);
});

it("says whose credits pay for another photographer's event, and not one's own balance", async () => {
  renderShared();
  expect(await screen.findByText('To Sangeet. Mira Sen pays for photos of this event.')).toBeVisible();
  await choose(image('a.jpg'), image('b.jpg'), image('c.jpg'));
  expect(await screen.findByText('a.jpg')).toBeVisible();
  expect(screen.queryByText(/larger than your credit/)).toBeNull();
  await settle(accepted, accepted, accepted);
  expect(await screen.findByText('All photos are uploaded.')).toBeVisible();
  // To share the link is for whoever manages the event.
  expect(screen.queryByRole('region', { name: 'Share the link' })).toBeNull();
});

it('asks a manager to share the link', async () => {
  renderShared({ ...shared, role: 'manager' });
  await choose(image('a.jpg'));
  await settle(accepted);
  expect(await screen.findByRole('region', { name: 'Share the link' })).toBeVisible();
});

it("says whose credit is used up, and sells none for another's event", async () => {
  renderShared();
  await screen.findByText(/Mira Sen pays/);
  await choose(image('a.jpg'));
  await settle({ kind: 'rejected', status: 402, error: tell });
  expect(await screen.findByText('Uploading has stopped: the credit of Mira Sen is used up.')).toBeVisible();
  expect(screen.getByText(/waits here until Mira Sen has added credits\./)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Add credits' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Continue uploading' })).toBeVisible();
});
