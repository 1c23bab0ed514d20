import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { selectEvent } from '../../../platform/session/selection';
import { anEvent } from '../../../testing/fixtures';
import { signIn } from '../../../testing/render';
import { accepted, choose, image, renderPage, resetUploads, settle } from './testing';

beforeEach(() => {
  resetUploads();
  signIn();
  selectEvent(anEvent());
});

const link = `${location.origin}/event/sangeet-k7m2x9q4tr`;

it('asks to share the link after an upload, with the link, its copy and its QR code', async () => {
  renderPage();
  await choose(image('a.jpg'), image('b.jpg'));
  await settle(accepted);
  expect(screen.queryByRole('region', { name: 'Share the link' })).toBeNull();
  await settle({ kind: 'rejected', status: 400, error: 'No image' });
  const share = within(await screen.findByRole('region', { name: 'Share the link' }));
  expect(share.getByText(link)).toBeVisible();
  fireEvent.click(share.getByRole('button', { name: 'Copy' }));
  fireEvent.click(share.getByRole('button', { name: 'QR Code' }));
  expect(await screen.findByRole('dialog', { name: 'Sangeet' })).toBeVisible();
});

it('does not ask to share the link while no photo of the batch is there', async () => {
  renderPage();
  await choose(image('a.jpg'));
  await settle({ kind: 'rejected', status: 400, error: 'No image' });
  expect(await screen.findByRole('list', { name: 'Failed Uploads' })).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Share the link' })).toBeNull();
});

it.each([
  ['with a mouse', false, 'Drop photos or folders here', 'Drop more photos here'],
  ['on a touch screen, where nothing can be dropped', true, 'Add photos from this device', 'Add more photos'],
])('invites to add photos %s', async (_, touch, first, more) => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({
        matches: touch && media.includes('coarse'),
        media,
        addListener: () => undefined,
        removeListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
  renderPage();
  expect(await screen.findByText(first)).toBeVisible();
  await choose(image('a.jpg'));
  expect(await screen.findByText(more)).toBeVisible();
});
