import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { selectEvent } from '../../../platform/session/selection';
import { storedBatches } from '../../../platform/storage/uploadStorage';
import { anEvent } from '../../../testing/fixtures';
import { signIn } from '../../../testing/render';
import { accepted, choose, renderPage, resetUploads, settle, uploads } from './testing';

const file = (name: string) => new File(['x'], name, { type: 'image/jpeg', lastModified: 5 });
const refused = { kind: 'rejected', status: 400, error: 'This file is not an image' } as const;
const stored = () => storedBatches.read()?.[0]?.files.map(({ name, state }) => [name, state]);

const handles = vi.hoisted(() => ({ load: vi.fn(), files: vi.fn(), forget: vi.fn() }));
vi.mock('./fileHandles', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  loadHandles: handles.load,
  filesOf: handles.files,
  deleteHandles: handles.forget,
}));

beforeEach(() => {
  vi.resetAllMocks();
  handles.load.mockResolvedValue([]);
  resetUploads();
  signIn();
  selectEvent(anEvent());
});

describe('the stored batch of missing photos', () => {
  it('survives the next upload, which does not say that all photos are uploaded [UPL094] [UPL192]', async () => {
    localStorage.setItem('unfinishedUploads', '[["e1",[["a.jpg",1,5,1],["b.jpg",1,5,0]]]]');
    const { unmount } = renderPage();
    expect(await screen.findByText('1 of 2 photos of your last batch is still missing.')).toBeVisible();
    await choose(file('c.jpg'));
    await settle(accepted);
    expect(await screen.findByText('Uploaded')).toBeVisible();
    expect(screen.getByText('1 of 3 photos of your last batch is still missing.')).toBeVisible();
    expect(screen.queryByText('All photos are uploaded.')).toBeNull();
    unmount();
    renderPage();
    expect(await screen.findByText('1 of 3 photos of your last batch is still missing.')).toBeVisible();
    await choose(file('b.jpg'));
    await settle(accepted);
    expect(await screen.findByText('All photos are uploaded.')).toBeVisible();
    expect(screen.queryByText(/still missing/)).toBeNull();
    expect(storedBatches.read()).toBeNull();
  });

  it('does not count a photo that was refused, which can be dismissed', async () => {
    const { unmount } = renderPage();
    await choose(file('a.jpg'), file('b.jpg'), file('c.jpg'));
    await settle(accepted, refused);
    await screen.findByRole('list', { name: 'Failed Uploads' });
    unmount();
    expect(stored()).toEqual([
      ['a.jpg', 'done'],
      ['b.jpg', 'refused'],
      ['c.jpg', 'missing'],
    ]);
    renderPage();
    expect(await screen.findByText('1 of 3 photos of your last batch is still missing.')).toBeVisible();
    resetUploads();
    await choose(file('b.jpg'), file('c.jpg'));
    await settle(refused, accepted);
    const list = await screen.findByRole('list', { name: 'Failed Uploads' });
    expect(list).toHaveTextContent('b.jpg');
    await waitFor(() => expect(storedBatches.read()).toBeNull());
    fireEvent.click(within(list).getByRole('button', { name: 'Dismiss b.jpg' }));
    expect(screen.queryByRole('list', { name: 'Failed Uploads' })).toBeNull();
    expect(storedBatches.read()).toBeNull();
  });

  it('keeps the focus at the failed uploads when one of them is dismissed', async () => {
    renderPage();
    await choose(file('a.jpg'), file('b.jpg'), file('c.jpg'));
    await settle(refused, refused, refused);
    const list = within(await screen.findByRole('list', { name: 'Failed Uploads' }));
    const button = (name: string) => list.getByRole('button', { name: `Dismiss ${name}` });
    button('b.jpg').focus();
    fireEvent.click(button('b.jpg'));
    expect(button('c.jpg')).toHaveFocus();
    fireEvent.click(button('c.jpg'));
    expect(button('a.jpg')).toHaveFocus();
    fireEvent.click(button('a.jpg'));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Failed Uploads' })).toBeNull());
    expect(screen.getByRole('main')).toHaveFocus();
  });

  it('keeps the focus in the page when all failed uploads are dismissed', async () => {
    renderPage();
    await choose(file('a.jpg'), file('b.jpg'));
    await settle(refused, { kind: 'rejected', status: 503, error: undefined });
    const button = await screen.findByRole('button', { name: 'Dismiss' });
    button.focus();
    fireEvent.click(button);
    expect(screen.getByRole('main')).toHaveFocus();
  });

  it('dismisses all refusals at once, and keeps what is retried', async () => {
    renderPage();
    await choose(file('a.jpg'), file('b.jpg'), file('c.jpg'));
    await settle(refused, refused, { kind: 'rejected', status: 503, error: undefined });
    fireEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
    const items = within(screen.getByRole('list', { name: 'Failed Uploads' })).getAllByRole('listitem');
    expect(items).toHaveLength(1);
    expect(items[0]).toHaveTextContent('c.jpg');
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
  });

  it('offers what was cancelled, and drops what was removed [UPL094]', async () => {
    const { router, unmount } = renderPage();
    await choose(...['a', 'b', 'c', 'd'].map((name) => file(`${name}.jpg`)));
    await waitFor(() => expect(uploads.requests).toHaveLength(3));
    fireEvent.click(screen.getByRole('button', { name: 'Remove d.jpg' }));
    await act(() => router.navigate('/pricing'));
    fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
    await screen.findByText('arrived at /pricing');
    await act(() => router.navigate('/admin/upload'));
    expect(await screen.findByText('3 of 3 photos of your last batch are still missing.')).toBeVisible();
    unmount();
    expect(stored()?.map(([name]) => name)).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
  });

  it('counts a batch that follows a finished one anew [UPL044]', async () => {
    const { unmount } = renderPage();
    await choose(file('a.jpg'));
    await settle(accepted);
    expect(await screen.findByText('Uploaded')).toBeVisible();
    await choose(file('b.jpg'), file('c.jpg'));
    await waitFor(() => expect(uploads.requests).toHaveLength(3));
    unmount();
    renderPage();
    expect(await screen.findByText('2 of 2 photos of your last batch are still missing.')).toBeVisible();
  });

  it('counts a photo of a finished batch again once it is tried again', async () => {
    const { unmount } = renderPage();
    await choose(file('a.jpg'), file('b.jpg'));
    await settle(accepted, refused);
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(uploads.requests).toHaveLength(3));
    unmount();
    renderPage();
    expect(await screen.findByText('1 of 1 photo of your last batch is still missing.')).toBeVisible();
  });

  it('recognises a missing file to which the browser gives another date [UPL044]', async () => {
    localStorage.setItem('unfinishedUploads', '[["e1",[["a.jpg",1,4,0],["a.jpg",1,5,0],["b.jpg",1,5,1]]]]');
    renderPage();
    expect(await screen.findByText('2 of 3 photos of your last batch are still missing.')).toBeVisible();
    await choose(new File(['x'], 'a.jpg', { type: 'image/jpeg', lastModified: 9 }));
    expect(await screen.findByText('1 of 3 photos of your last batch is still missing.')).toBeVisible();
    await choose(new File(['x'], 'a.jpg', { type: 'image/jpeg', lastModified: 10 }));
    await settle(accepted, accepted);
    expect(await screen.findByText('All photos are uploaded.')).toBeVisible();
    expect(screen.queryByText(/still missing/)).toBeNull();
  });

  it('is opened again by the browser where it can, and asked for again where the files are gone', async () => {
    localStorage.setItem('unfinishedUploads', '[["e1",[["a.jpg",1,5,1],["b.jpg",1,5,0]]]]');
    handles.load.mockResolvedValue([{ kind: 'file', name: 'b.jpg' }]);
    handles.files.mockResolvedValueOnce([]).mockResolvedValue([file('a.jpg'), file('b.jpg')]);
    const { unmount } = renderPage();
    fireEvent.click(await screen.findByRole('button', { name: 'Continue uploading' }));
    expect(await screen.findByText('The files could not be opened. Please choose them again.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Continue uploading' })).toBeNull();
    expect(screen.getByText(/^Choose the same files or folder again/)).toBeVisible();
    unmount();
    renderPage();
    fireEvent.click(await screen.findByRole('button', { name: 'Continue uploading' }));
    await settle(accepted);
    expect(await screen.findByText('All photos are uploaded.')).toBeVisible();
    expect(uploads.requests).toHaveLength(1);
    expect(handles.forget).toHaveBeenCalledWith('e1');
  });

  it('is opened again once, also where that is asked for twice', async () => {
    localStorage.setItem('unfinishedUploads', '[["e1",[["b.jpg",1,5,0]]]]');
    handles.load.mockResolvedValue([{ kind: 'file', name: 'b.jpg' }]);
    let open: (files: File[]) => void = () => undefined;
    handles.files.mockImplementation(
      () =>
        new Promise((resolve) => {
          open = resolve;
        }),
    );
    renderPage();
    const button = await screen.findByRole('button', { name: 'Continue uploading' });
    fireEvent.click(button);
    fireEvent.click(button);
    expect(button).toBeDisabled();
    expect(handles.files).toHaveBeenCalledTimes(1);
    await act(async () => {
      open([file('b.jpg')]);
      await Promise.resolve();
    });
    expect(await screen.findByText('b.jpg')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Continue uploading' })).toBeNull();
  });

  it('can be dismissed while other photos are uploading', async () => {
    localStorage.setItem('unfinishedUploads', '[["e1",[["b.jpg",1,5,0]]]]');
    renderPage();
    await choose(file('c.jpg'));
    const alert = (await screen.findByText(/still missing/)).closest('[role=status]');
    fireEvent.click(within(alert as HTMLElement).getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(/still missing/)).toBeNull();
    expect(stored()).toEqual([['c.jpg', 'missing']]);
  });
});
