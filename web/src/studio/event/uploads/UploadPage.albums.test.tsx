import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { UploadOutcome } from '../../../platform/api/upload';
import { selectEvent } from '../../../platform/session/selection';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { signIn } from '../../../testing/render';
import { errorResponse, json } from '../../../testing/server';
import { choose as chooseFiles, image, renderPage, resetUploads, settle } from './testing';

const inFolder = (path: string) => {
  const file = image(path.split('/').at(-1) ?? '');
  Object.defineProperty(file, 'webkitRelativePath', { value: path });
  return file;
};
const taken = (photoId: string, duplicate = false): UploadOutcome => ({
  kind: 'accepted',
  photo: null,
  photoId,
  duplicate,
});
const refused: UploadOutcome = { kind: 'rejected', status: 400, error: 'The image is damaged' };

describe('/admin/upload with folders', () => {
  const event = anEvent();
  beforeEach(() => {
    resetUploads();
    signIn();
    selectEvent(event);
  });

  const choose = (...paths: string[]) => chooseFiles(...paths.map(inFolder));
  const albumServer = (overrides: Parameters<typeof renderPage>[0] = {}) =>
    renderPage({
      'GET /api/events/e1/albums': () => json({ albums: [{ id: 'vows', name: 'CEREMONY' }] }),
      'POST /api/events/e1/albums': ({ body }) =>
        json({ id: `new ${(body as { name: string }).name}`, name: (body as { name: string }).name }, 201),
      'POST /api/photos/album': () => json({ photos: 1, changes: [] }),
      ...overrides,
    });

  it('offers albums once they are sent, also for what was there already [GAL403]', async () => {
    const server = albumServer();
    await choose('Wedding/Ceremony/a.jpg', 'Wedding/Party/b.jpg', 'Wedding/Party/c.jpg');
    await waitFor(() => expect(screen.getByText('a.jpg')).toBeVisible());
    expect(screen.queryByText(/Make albums/)).toBeNull();
    await settle(taken('p1'), taken('p2', true), taken('p3'));
    expect(await screen.findByRole('heading', { name: 'Make albums from the 2 folders?' })).toBeVisible();
    expect(screen.getByText('Ceremony, Party')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Make albums' }));
    expect(await screen.findByText('3 photos are in the albums of their folders.')).toBeInTheDocument();
    expect(server.callsTo('POST /api/events/e1/albums').map(({ body }) => body)).toEqual([{ name: 'Party' }]);
    expect(server.callsTo('POST /api/photos/album').map(({ body }) => body)).toEqual([
      { event_id: 'e1', photo_ids: ['p1'], all: false, album_id: 'vows' },
      { event_id: 'e1', photo_ids: ['p2', 'p3'], all: false, album_id: 'new Party' },
    ]);
    expect(screen.queryByRole('heading', { name: /Make albums/ })).toBeNull();
  });

  it('has in the albums what an interrupted batch had uploaded before [GAL403]', async () => {
    const files = ['Ceremony/a.jpg', 'Ceremony/b.jpg', 'Party/c.jpg'].map(inFolder);
    const rows = files.map(({ name, size, lastModified }, at) => [name, size, lastModified, at < 2 ? 1 : 0]);
    localStorage.setItem('unfinishedUploads', JSON.stringify([['e1', rows]]));
    albumServer();
    await chooseFiles(...files);
    await settle(taken('p3'));
    expect(await screen.findByRole('heading', { name: 'Make albums from the 2 folders?' })).toBeVisible();
    expect(screen.getByText('Ceremony, Party')).toBeVisible();
  });

  it('says the folders of failed files, and offers nothing again that was declined', async () => {
    albumServer();
    await choose('Wedding/Ceremony/a.jpg', 'Wedding/Party/b.jpg', 'Wedding/Party/c.jpg');
    await settle(taken('p1'), taken('p2'), refused);
    expect(await screen.findByText('Wedding/Party/c.jpg')).toBeVisible();
    fireEvent.click(await screen.findByRole('button', { name: 'No, thanks' }));
    expect(screen.queryByRole('heading', { name: /Make albums/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle(taken('p3'));
    expect(await screen.findByRole('heading', { name: 'Make an album from 1 folder?' })).toBeVisible();
  });

  it('says why albums cannot be made, and lets it be tried again', async () => {
    let fails = true;
    albumServer({
      'POST /api/photos/album': () => (fails ? errorResponse(500) : json({ photos: 1, changes: [] })),
    });
    await choose('Ceremony/a.jpg', 'Party/b.jpg');
    await settle(taken('p1'), taken('p2'));
    fireEvent.click(await screen.findByRole('button', { name: 'Make albums' }));
    expect(await screen.findByText('The change could not be saved. Please try again.')).toBeVisible();
    fails = false;
    fireEvent.click(screen.getByRole('button', { name: 'Make albums' }));
    expect(await screen.findByText('2 photos are in the albums of their folders.')).toBeInTheDocument();
  });

  it('offers none of a single folder, nor to contributors', async () => {
    const { unmount } = albumServer();
    await choose('Party/a.jpg', 'Party/b.jpg');
    await settle(taken('p1'), taken('p2'));
    expect(await screen.findByText('All photos are uploaded.')).toBeVisible();
    expect(screen.queryByRole('heading', { name: /Make album/ })).toBeNull();
    unmount();
    resetUploads();
    const shared = anEvent({ role: 'contributor', owner_name: 'Meera' });
    albumServer(listing(() => [shared]));
    await choose('Ceremony/c.jpg', 'Party/d.jpg');
    await settle(taken('p1'), taken('p2'));
    expect(await screen.findByText('All photos are uploaded.')).toBeVisible();
    expect(screen.queryByRole('heading', { name: /Make album/ })).toBeNull();
  });
});
