import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { json } from '../../../testing/server';
import { chooseFilter, findByName, photos, renderPage, searching, setUpGallery } from './testing';

beforeEach(setUpGallery);

const search = (router: { state: { location: { search: string } } }) => router.state.location.search;
const shown = () =>
  [...document.querySelectorAll('[data-photo]')].map((tile) => tile.getAttribute('data-photo'));

describe('the gallery and its address', () => {
  it('shows what the address says, and says how many of all photos that are [GAL420] [GAL421]', async () => {
    const list = photos(12).map((photo, index) => ({
      ...photo,
      status: index < 3 ? ('failed' as const) : ('ready' as const),
    }));
    const server = renderPage(
      { 'GET /api/photos/search': searching(list) },
      '/admin/gallery?event=e1&status=failed&sort=name',
    );
    expect(await screen.findByText('3 of 12 photos')).toBeVisible();
    expect(shown()).toEqual(['p0', 'p1', 'p2']);
    expect(screen.getByRole('button', { name: 'Sort and filter, 2 in use' })).toBeVisible();
    expect(server.callsTo('GET /api/photos/search').map(({ query }) => query.get('status'))).toContain(
      'failed',
    );

    findByName('dsc_1');
    expect(await screen.findByText('1 of 12 photos')).toBeVisible();
    await waitFor(() => expect(search(server.router)).toBe('?event=e1&name=dsc_1&status=failed&sort=name'));
    // Whoever returns finds the same, also by way of the trash.
    expect(screen.getByRole('link', { name: 'Trash' })).toHaveAttribute(
      'href',
      '/admin/trash?event=e1&name=dsc_1&status=failed&sort=name',
    );
    fireEvent.click(screen.getByRole('button', { name: /^Open DSC_1\.jpg/ }));
    await waitFor(() => expect(search(server.router)).toContain('photo=p1'));
    await act(() => server.router.navigate(-1));
    expect(screen.getByText('1 of 12 photos')).toBeVisible();

    fireEvent.click(screen.getByRole('button', { name: 'Show all photos' }));
    await waitFor(() => expect(search(server.router)).toBe('?event=e1&sort=name'));
    expect(screen.getByRole('searchbox')).toHaveValue('');
    expect(screen.queryByText(/of 12 photos/)).toBeNull();
  });

  it('changes the address without an entry of the history, and is as at first where the address says nothing [GAL420]', async () => {
    const { router } = renderPage(
      { 'GET /api/photos/search': searching(photos(2)) },
      '/admin/gallery?event=e1',
    );
    await screen.findByText('All 2');
    await chooseFilter('By file name', 'Failed');
    await waitFor(() => expect(search(router)).toBe('?event=e1&status=failed&sort=name'));
    expect(router.state.historyAction).toBe('REPLACE');
    expect(await screen.findByText('No photo is like that.')).toBeVisible();
    await act(() => router.navigate('/admin/gallery?event=e1'));
    expect(screen.getByRole('button', { name: 'Sort and filter' })).toBeVisible();
    await waitFor(() => expect(shown()).toEqual(['p0', 'p1']));
  });

  it('keeps an album of the address while the albums are fetched, and leaves one that is gone', async () => {
    const server = renderPage(
      {
        'GET /api/photos/search': searching(photos(2)),
        'GET /api/events/e1/albums': () => json({ albums: [{ id: 'a1', name: 'Ceremony', photos: 2 }] }),
      },
      '/admin/gallery?event=e1&album=a1',
    );
    expect(await screen.findByRole('radio', { name: 'Ceremony' })).toBeChecked();
    const asked = () =>
      new Set(server.callsTo('GET /api/photos/search').map(({ query }) => query.get('album_id')));
    expect(asked()).toEqual(new Set([null, 'a1']));
    await act(() => server.router.navigate('/admin/gallery?event=e1&album=gone'));
    expect(await screen.findByRole('radio', { name: 'All 2' })).toBeChecked();
  });
});
