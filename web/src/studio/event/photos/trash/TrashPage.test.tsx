import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { selectEvent } from '../../../../platform/session/selection';
import { listing } from '../../../../testing/events';
import { anEvent } from '../../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../../testing/render';
import { errorResponse, json, mockServer } from '../../../../testing/server';
import type { TrashedPhoto } from './trash';
import TrashPage from './TrashPage';

const aTrashed = (id: string, overrides: Partial<TrashedPhoto> = {}): TrashedPhoto => ({
  id,
  original_filename: `${id}.jpg`,
  width: 6000,
  height: 4000,
  size_bytes: 1000,
  status: 'failed',
  average_color: null,
  created_at: '2026-11-14T20:00:00Z',
  deleted_at: '2026-11-20T12:00:00Z',
  removed_at: new Date(Date.now() + 2.5 * 86_400_000).toISOString(),
  ...overrides,
});

function renderPage(photos: TrashedPhoto[], overrides: Parameters<typeof mockServer>[0] = {}) {
  const left = [...photos];
  const take = (body: unknown) => {
    const { photo_ids, all } = body as { photo_ids?: string[]; all: boolean };
    const gone = left.filter(({ id }) => all || photo_ids?.includes(id) === true);
    for (const photo of gone) left.splice(left.indexOf(photo), 1);
    return gone.length;
  };
  const server = mockServer({
    ...listing(() => [anEvent()]),
    'GET /api/photos/trash': () => json({ photos: left, total_count: left.length, next_cursor: null }),
    'POST /api/photos/trash/restore': ({ body }) => json({ restored: take(body) }),
    'POST /api/photos/trash/remove': ({ body }) => json({ removed: take(body) }),
    ...overrides,
  });
  renderEventScreen(<TrashPage />, '/admin/trash');
  return server;
}

describe('/admin/trash', () => {
  beforeEach(() => {
    signIn();
    selectEvent(anEvent());
  });

  it('lets nobody but the owner remove photos for good [TEAM045]', async () => {
    const managed = anEvent({ role: 'manager', owner_name: 'Mira Sen' });
    selectEvent(managed);
    renderPage(
      [aTrashed('a')],
      listing(() => [managed]),
    );
    expect(await screen.findByRole('list', { name: 'Deleted photos' })).toBeVisible();
    expect(screen.getByRole('button', { name: /Restore/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: /for good|Empty/ })).toBeNull();
  });

  it('shows what was deleted and for how long it can be restored', async () => {
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => {} }));
    const server = renderPage([aTrashed('a', { status: 'ready' }), aTrashed('b')], {
      'GET /api/photos/trash/a/thumbnail': () => new Response('bytes'),
    });
    const list = await screen.findByRole('list', { name: 'Deleted photos' });
    expect(within(list).getAllByText('Removed in 3 days')).toHaveLength(2);
    await waitFor(() => expect(list.querySelector('img')?.getAttribute('src')).toBe('blob:1'));
    expect(server.callsTo('GET /api/photos/trash')[0]?.query.get('event_id')).toBe('e1');
    expect(server.callsTo('GET /api/photos/trash/b/thumbnail')).toEqual([]);
  });

  it.each([
    ['a moment after the deletion', 5],
    ['on a computer whose clock is behind the server’s', -90],
  ])('says 7 days %s', async (_, seconds) => {
    const deleted = Date.now() - seconds * 1000;
    const at = (days: number) => new Date(deleted + days * 86_400_000).toISOString();
    renderPage([aTrashed('a', { deleted_at: at(0), removed_at: at(7) })]);
    expect(await screen.findByText('Removed in 7 days')).toBeVisible();
  });

  it('shows the whole picture: no head is cut off', async () => {
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => {} }));
    renderPage([aTrashed('a', { status: 'ready', width: 4000, height: 6000 })], {
      'GET /api/photos/trash/a/thumbnail': () => new Response('bytes'),
    });
    const list = await screen.findByRole('list', { name: 'Deleted photos' });
    await waitFor(() => expect(list.querySelector('img')).toHaveStyle({ objectFit: 'contain' }));
  });

  it('restores the selected photos, or all', async () => {
    const server = renderPage(['a', 'b', 'c'].map((id) => aTrashed(id)));
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select a.jpg' }));
    fireEvent.click(screen.getByRole('button', { name: 'Restore 1' }));
    expect(await screen.findByText('Photo restored.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('a.jpg')).toBeNull());
    expect(server.callsTo('POST /api/photos/trash/restore')[0]?.body).toEqual({
      event_id: 'e1',
      photo_ids: ['a'],
      all: false,
    });
    fireEvent.click(screen.getByRole('button', { name: 'Restore all' }));
    expect(await screen.findByText('2 photos restored.')).toBeVisible();
    expect(await screen.findByText('The trash is empty')).toBeVisible();
  });

  it('removes for good after a question, and says when that failed', async () => {
    const server = renderPage([aTrashed('a'), aTrashed('b')]);
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select b.jpg' }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete now' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete this photo for good?' });
    expect(server.callsTo('POST /api/photos/trash/remove')).toEqual([]);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
    // The message is in the dialog while that fades.
    await waitFor(() => expect(screen.getByText('Photo deleted for good.')).toBeVisible());
    await waitFor(() => expect(screen.queryByText('b.jpg')).toBeNull());
  });

  it('[GAL512] empties the trash of what its question is about, whatever is deleted meanwhile', async () => {
    const photos = [
      aTrashed('b', { deleted_at: '2026-11-20T12:00:00.007Z' }),
      aTrashed('a', { deleted_at: '2026-11-20T11:00:00.000Z' }),
    ];
    const server = renderPage([], {
      'GET /api/photos/trash': () => json({ photos, total_count: photos.length, next_cursor: null }),
      'POST /api/photos/trash/remove': () => json({ removed: 2 }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Empty the trash' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete 2 photos for good?' });
    // The team deletes another one, which the list shows.
    photos.unshift(aTrashed('c', { deleted_at: '2026-11-20T12:00:01.000Z' }));
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    expect(await screen.findByText('c.jpg')).toBeInTheDocument();
    expect(dialog).toHaveAccessibleName('Delete 2 photos for good?');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('2 photos deleted for good.')).toBeInTheDocument();
    expect(server.callsTo('POST /api/photos/trash/remove').map(({ body }) => body)).toEqual([
      { event_id: 'e1', all: true, deleted_through: '2026-11-20T12:00:00.007Z' },
    ]);
  });

  it('says what did not work', async () => {
    renderPage([aTrashed('a')], { 'POST /api/photos/trash/restore': () => errorResponse(500) });
    fireEvent.click(await screen.findByRole('button', { name: 'Restore all' }));
    expect(await screen.findByText('The photos could not be restored. Please try again.')).toBeVisible();
    expect(screen.getByText('a.jpg')).toBeVisible();
  });
});
