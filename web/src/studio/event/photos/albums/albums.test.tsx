import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { selectEvent } from '../../../../platform/session/selection';
import { anEvent } from '../../../../testing/fixtures';
import { errorResponse, json } from '../../../../testing/server';
import { photos, renderPage, setUpGallery } from '../testing';

describe('albums in the gallery', () => {
  beforeEach(() => {
    setUpGallery();
    selectEvent(anEvent());
    shown = photos(2);
    taking = undefined;
  });

  let shown = photos(2);
  let taking: ((album: string) => Response | undefined) | undefined;

  /** Answers the calls of albums as the server does. */
  function albumServer(...names: string[]) {
    const albums = names.map((name) => ({ id: name.toLowerCase(), name }));
    const nameOf = (body: unknown) => (body as { name: string }).name;
    const server = renderPage({
      'GET /api/photos/search': () => json({ photos: shown, total_count: shown.length, next_cursor: null }),
      'GET /api/events/e1/albums': () => json({ albums }),
      'POST /api/events/e1/albums': ({ body }) => {
        const album = { id: nameOf(body).toLowerCase(), name: nameOf(body) };
        albums.push(album);
        return json(album, 201);
      },
      'PATCH /api/albums/dinner': ({ body }) => {
        if (nameOf(body) === 'Vows')
          return errorResponse(409, 'This event has an album of this name already', 'album_name_taken');
        albums[1] = { id: 'dinner', name: nameOf(body) };
        return json(albums[1]);
      },
      'PUT /api/events/e1/albums': ({ body }) => {
        const order = (body as { album_ids: string[] }).album_ids;
        albums.sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
        return json({ albums });
      },
      'DELETE /api/albums/dinner': () => {
        albums.splice(1, 1);
        return json({ success: true });
      },
      'POST /api/photos/album': ({ body }) => {
        const {
          album_id,
          photo_ids,
          take_out = false,
        } = body as {
          album_id: string;
          photo_ids: string[];
          take_out?: boolean;
        };
        const refused = taking?.(album_id);
        if (refused !== undefined) return refused;
        const isIn = (id: string) =>
          shown.some((photo) => photo.id === id && photo.albums.includes(album_id));
        const changed = photo_ids.filter((id) => isIn(id) === take_out);
        shown = shown.map((photo) =>
          changed.includes(photo.id)
            ? {
                ...photo,
                albums: take_out ? photo.albums.filter((id) => id !== album_id) : [...photo.albums, album_id],
              }
            : photo,
        );
        return json({ photos: photo_ids.length, changes: [{ album_id, photo_ids: changed }] });
      },
    });
    return server;
  }

  const openAlbums = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'Albums' }));
    return screen.findByRole('dialog', { name: 'Albums' });
  };
  const listed = async () =>
    within(await screen.findByRole('dialog', { name: 'Albums' }))
      .getAllByRole('listitem')
      .map((item) => item.firstChild?.textContent);

  it('are made, renamed and deleted', async () => {
    albumServer('Vows', 'Dinner');
    await openAlbums();
    await waitFor(async () => expect(await listed()).toEqual(['Vows', 'Dinner']));
    fireEvent.click(screen.getByRole('button', { name: 'Rename Dinner' }));
    const name = await screen.findByRole('textbox', { name: 'Album name' });
    fireEvent.change(name, { target: { value: ' ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Please give the album a name')).toBeVisible();
    fireEvent.change(name, { target: { value: 'Vows' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('This event has an album of this name already')).toBeVisible();
    fireEvent.change(name, { target: { value: 'Reception' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(async () => expect(await listed()).toEqual(['Vows', 'Reception']));

    fireEvent.click(screen.getByRole('button', { name: 'New album' }));
    fireEvent.change(await screen.findByRole('textbox', { name: 'Album name' }), {
      target: { value: 'Party' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(async () => expect(await listed()).toEqual(['Vows', 'Reception', 'Party']));

    fireEvent.click(screen.getByRole('button', { name: 'Delete Reception' }));
    expect(await screen.findByText('Its photos stay in the event.')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Delete album' }));
    await waitFor(async () => expect(await listed()).toEqual(['Vows', 'Party']));
  });

  it('are moved up, and keep the focus', async () => {
    const server = albumServer('Vows', 'Dinner', 'Party');
    await openAlbums();
    await waitFor(async () => expect(await listed()).toEqual(['Vows', 'Dinner', 'Party']));
    expect(screen.queryByRole('button', { name: 'Move Vows up' })).not.toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Move Party up' }));
    await waitFor(async () => expect(await listed()).toEqual(['Vows', 'Party', 'Dinner']));
    expect(screen.getByRole('button', { name: 'Move Party up' })).toHaveFocus();
    fireEvent.click(screen.getByRole('button', { name: 'Move Party up' }));
    await waitFor(async () => expect(await listed()).toEqual(['Party', 'Vows', 'Dinner']));
    expect(screen.getByRole('button', { name: 'Rename Party' })).toHaveFocus();
    expect(screen.getByText('Party is at place 1.')).toBeInTheDocument();
    const orders = () => server.callsTo('PUT /api/events/e1/albums').map(({ body }) => body);
    await waitFor(() =>
      expect(orders()).toEqual([
        { album_ids: ['vows', 'party', 'dinner'] },
        { album_ids: ['party', 'vows', 'dinner'] },
      ]),
    );
  });

  it('are moved up as often as is asked on a slow line', async () => {
    const names = ['Ceremony', 'Vows', 'Dinner', 'Party'];
    let albums = names.map((name) => ({ id: name.toLowerCase(), name }));
    const answers: (() => void)[] = [];
    const server = renderPage({
      'GET /api/events/e1/albums': () => json({ albums }),
      'PUT /api/events/e1/albums': ({ body }) =>
        new Promise<Response>((resolve) => {
          answers.push(() => {
            const order = (body as { album_ids: string[] }).album_ids;
            albums = order.flatMap((id) => albums.filter((album) => album.id === id));
            resolve(json({ albums }));
          });
        }),
    });
    await openAlbums();
    await waitFor(async () => expect(await listed()).toEqual(names));
    const moveUp = () => fireEvent.click(screen.getByRole('button', { name: 'Move Party up' }));
    moveUp();
    await waitFor(async () => expect(await listed()).toEqual(['Ceremony', 'Vows', 'Party', 'Dinner']));
    moveUp();
    await waitFor(async () => expect(await listed()).toEqual(['Ceremony', 'Party', 'Vows', 'Dinner']));
    answers[0]?.();
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(await listed()).toEqual(['Ceremony', 'Party', 'Vows', 'Dinner']);
    moveUp();
    const wanted = ['Party', 'Ceremony', 'Vows', 'Dinner'];
    await waitFor(async () => expect(await listed()).toEqual(wanted));
    answers[1]?.();
    await waitFor(() => expect(answers).toHaveLength(3));
    const before = server.callsTo('GET /api/events/e1/albums').length;
    answers[2]?.();
    await waitFor(() => expect(server.callsTo('GET /api/events/e1/albums').length).toBeGreaterThan(before));
    expect(albums.map(({ name }) => name)).toEqual(wanted);
    expect(await listed()).toEqual(wanted);
  });

  const select = async (...names: string[]) => {
    for (const name of names)
      fireEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
  };
  const openAdding = async (name: string) => {
    fireEvent.click(screen.getByRole('button', { name: 'Add to album' }));
    return within(await screen.findByRole('dialog', { name }));
  };

  it('take the selection in, and filter the gallery', async () => {
    const server = albumServer('Vows');
    await select('DSC_0.jpg');
    const dialog = await openAdding('Add this photo to an album');
    // None is chosen for the photographer.
    for (const box of dialog.getAllByRole('checkbox')) expect(box).not.toBeChecked();
    fireEvent.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await dialog.findByText('Please choose an album')).toBeVisible();
    expect(dialog.getByRole('group', { name: 'Albums' })).toHaveAccessibleDescription(
      'Please choose an album',
    );
    fireEvent.click(dialog.getByRole('checkbox', { name: 'New album' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await dialog.findByText('Please give the album a name')).toBeVisible();
    expect(server.callsTo('POST /api/photos/album')).toEqual([]);
    fireEvent.change(dialog.getByRole('textbox', { name: 'Album name' }), { target: { value: 'Dinner' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('The photo is in the album.')).toBeInTheDocument();
    const put = () => server.callsTo('POST /api/photos/album').map(({ body }) => body);
    expect(put()).toEqual([{ event_id: 'e1', photo_ids: ['p0'], all: false, album_id: 'dinner' }]);

    const lists = () => server.callsTo('GET /api/photos/search').map(({ query }) => query.get('album_id'));
    fireEvent.click(await screen.findByRole('radio', { name: 'Dinner' }));
    // Hidden radio buttons out of sight do not widen the page.
    const row = screen.getByRole('group', { name: 'Album' }).parentElement;
    expect(row).toHaveStyle({ position: 'relative', overflowX: 'auto' });
    await waitFor(() => expect(lists().at(-1)).toBe('dinner'));

    fireEvent.click(screen.getByRole('radio', { name: 'In no album' }));
    await waitFor(() => expect(lists().at(-1)).toBe('none'));
  });

  it('have photos together, and give back exactly what was added [GAL402] [GAL441]', async () => {
    shown = photos(3).map((photo, at) => ({
      ...photo,
      albums: [['vows'], [], ['vows', 'dinner']][at] ?? [],
    }));
    const server = albumServer('Vows', 'Dinner', 'Party');
    await select('DSC_0.jpg', 'DSC_1.jpg', 'DSC_2.jpg');
    const dialog = await openAdding('Add 3 photos to an album');
    for (const name of ['Vows', 'Party']) fireEvent.click(dialog.getByRole('checkbox', { name }));
    fireEvent.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('3 photos are in the albums.')).toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The albums are as they were.')).toBeInTheDocument();
    const all = ['p0', 'p1', 'p2'];
    expect(server.callsTo('POST /api/photos/album').map(({ body }) => body)).toEqual([
      { event_id: 'e1', photo_ids: all, all: false, album_id: 'vows' },
      { event_id: 'e1', photo_ids: all, all: false, album_id: 'party' },
      { event_id: 'e1', photo_ids: ['p1'], all: false, album_id: 'vows', take_out: true },
      { event_id: 'e1', photo_ids: all, all: false, album_id: 'party', take_out: true },
    ]);
  });

  it('that a failure has left half-way are said, with the way back [GAL402]', async () => {
    const server = albumServer('Vows', 'Dinner');
    taking = (album) =>
      album === 'dinner'
        ? errorResponse(409, 'This event is being deleted', 'event_being_deleted')
        : undefined;
    await select('DSC_0.jpg');
    fireEvent.click(await screen.findByRole('button', { name: 'Add to album' }));
    for (const name of ['Vows', 'Dinner']) fireEvent.click(screen.getByRole('checkbox', { name }));
    fireEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('This event is being deleted')).toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('The photo is in the album.')).toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The albums are as they were.')).toBeInTheDocument();
    expect(server.callsTo('POST /api/photos/album').at(-1)?.body).toMatchObject({
      album_id: 'vows',
      take_out: true,
    });
  });

  it('are not offered again to photos that are all in them', async () => {
    shown = photos(2).map((photo, at) => ({ ...photo, albums: [['vows'], ['vows', 'dinner']][at] ?? [] }));
    albumServer('Vows', 'Dinner');
    await select('DSC_0.jpg', 'DSC_1.jpg');
    const dialog = await openAdding('Add 2 photos to an album');
    const vows = await dialog.findByRole('checkbox', { name: 'Vows' });
    expect(vows).toBeChecked();
    expect(vows).toBeDisabled();
    expect(dialog.getByRole('checkbox', { name: 'Dinner' })).toBeEnabled();
    expect(dialog.getByRole('checkbox', { name: 'Dinner' })).not.toBeChecked();
  });

  it('lose photos in their own view alone, which comes back [GAL442]', async () => {
    shown = photos(2).map((photo) => ({ ...photo, albums: ['vows', 'dinner'] }));
    const server = albumServer('Vows', 'Dinner');
    await select('DSC_0.jpg');
    expect(screen.queryByRole('button', { name: 'Remove from album' })).not.toBeInTheDocument();
    fireEvent.click(await screen.findByRole('radio', { name: 'Vows' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Remove from album' }));
    expect(await screen.findByText('The photo is no longer in the album.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove from album' })).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The albums are as they were.')).toBeInTheDocument();
    expect(server.callsTo('POST /api/photos/album').map(({ body }) => body)).toEqual([
      { event_id: 'e1', photo_ids: ['p0'], all: false, album_id: 'vows', take_out: true },
      { event_id: 'e1', photo_ids: ['p0'], all: false, album_id: 'vows' },
    ]);
  });

  it('say where a photo could not be taken out', async () => {
    albumServer('Vows', 'Dinner');
    taking = () => errorResponse(409, 'This event is being deleted', 'event_being_deleted');
    fireEvent.click(await screen.findByRole('radio', { name: 'Vows' }));
    await select('DSC_0.jpg');
    fireEvent.click(await screen.findByRole('button', { name: 'Remove from album' }));
    expect(await screen.findByText('This event is being deleted')).toBeInTheDocument();
    expect(screen.getByText('1 photo selected')).toBeInTheDocument();
  });
});
