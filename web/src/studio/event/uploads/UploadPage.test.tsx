import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { UploadOutcome } from '../../../platform/api/upload';
import { creditsKey } from '../../shared/credits/credits';
import { eventQuery, eventsKey } from '../../shared/events/events';
import { selectEvent } from '../../../platform/session/selection';
import { readSession } from '../../../platform/session/session';
import { storedBatches } from '../../../platform/storage/uploadStorage';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../testing/render';
import { errorResponse, json, mockServer } from '../../../testing/server';
import { accepted, choose, image, provider, renderPage, resetUploads, settle, uploads } from './testing';
import UploadPage from './UploadPage';

beforeEach(() => {
  resetUploads();
  signIn();
});

describe('/admin/upload without an event', () => {
  it("shows 'Select an Event' and takes no files, and lets one be chosen [UPL003]", async () => {
    renderPage();
    expect(await screen.findByText('Select an Event')).toBeVisible();
    expect(screen.queryByLabelText('Choose photos')).toBeNull();
    fireEvent.click(await screen.findByRole('button', { name: /Sangeet/ }));
    expect(await screen.findByLabelText('Choose photos')).toBeInTheDocument();
  });

  it("says 'Failed to load events. Please try again.' [UPL004]", async () => {
    mockServer({
      'GET /api/events/search': () => errorResponse(500),
      'GET /api/subscription/credits': () => errorResponse(500),
      'HEAD /api/health': () => new Response(null),
    });
    renderEventScreen(<UploadPage />, '/admin/upload', provider);
    expect(await screen.findByText('Failed to load events. Please try again.')).toBeVisible();
  });
});

describe('/admin/upload', () => {
  beforeEach(() => selectEvent(anEvent()));

  it('reports no failure of a later refresh of the events, as a cut network causes it [UPL004]', async () => {
    const { client } = renderPage();
    expect(await screen.findByText(/618 left/)).toBeVisible();
    mockServer({ 'GET /api/events/search': () => Promise.reject(new TypeError('lost')) });
    await act(() => client.refetchQueries({ queryKey: eventsKey }));
    expect(client.getQueryState(eventQuery(readSession(), 'e1').queryKey)?.status).toBe('error');
    expect(screen.queryByText(/Failed to load events/)).toBeNull();
  });

  it('accepts images by drop and by file selection, and rejects other files of the same drop [UPL001] [UPL002] [UPL005] [UPL006]', async () => {
    renderPage();
    const input = await screen.findByLabelText('Choose photos');
    for (const ending of ['.png', '.jpg', '.jpeg', '.gif', '.bmp', '.tiff', '.webp', '.heic', '.heif']) {
      expect(input.getAttribute('accept')).toContain(ending);
    }
    const files = [image('a.jpg'), new File(['x'], 'notes.pdf', { type: 'application/pdf' }), image('b.jpg')];
    fireEvent.drop(screen.getByTestId('drop-zone'), {
      dataTransfer: {
        files,
        items: files.map((file) => ({ kind: 'file', type: file.type, getAsFile: () => file })),
        types: ['Files'],
      },
    });
    expect(await screen.findByText('a.jpg')).toBeVisible();
    expect(screen.getByText('b.jpg')).toBeVisible();
    await waitFor(() => expect(uploads.requests).toHaveLength(2));
    expect(await screen.findByText('1 file is no image and was left out.')).toBeVisible();
    expect(screen.getByRole('list', { name: 'Files left out' })).toHaveTextContent('notes.pdf');
  });

  it('names the RAW files it leaves out and asks for their JPEGs, except for those that are there', async () => {
    renderPage();
    const raw = (name: string) => new File(['x'], name, { type: 'image/x-nikon-nef' });
    await choose(image('DSC_1.JPG'), raw('DSC_1.NEF'), raw('DSC_2.nef'));
    expect(await screen.findByText('DSC_1.JPG')).toBeVisible();
    expect(screen.getByText('1 RAW file was left out. Choose its JPEG instead.')).toBeVisible();
    const list = screen.getByRole('list', { name: 'Files left out' });
    expect(list).toHaveTextContent('DSC_2.nef');
    expect(list).not.toHaveTextContent('DSC_1.NEF');
    expect(uploads.requests).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(/RAW file/)).toBeNull();
  });

  it('[UPL223] only counts the RAW files whose JPEGs are there', async () => {
    renderPage();
    const raw = (name: string) => new File(['x'], name, { type: 'image/x-canon-cr3' });
    await choose(image('IMG_1.JPG'), image('IMG_2.jpg'), raw('IMG_1.CR3'), raw('IMG_2.CR3'));
    expect(await screen.findByText('IMG_1.JPG')).toBeVisible();
    expect(screen.getByText('2 RAW files left out')).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Files left out' })).toBeNull();
    expect(uploads.requests).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(/RAW file/)).toBeNull();
  });

  it('says that photos were there already instead of counting them as uploaded', async () => {
    renderPage();
    await choose(image('a.jpg'));
    await settle({ kind: 'accepted', duplicate: true, photo: {} } as UploadOutcome);
    expect(await screen.findByText('All photos were there already, free of charge.')).toBeVisible();
    const progress = screen.getByRole('region', { name: 'Progress' });
    expect(progress).toHaveTextContent('0 uploaded');
    expect(progress).toHaveTextContent('1 already there');
  });

  // While photos arrive, the searchable ones are never said to be all.
  it('refreshes the credits and the photos searchable during a batch', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderPage();
    await choose(image('a.jpg'), image('b.jpg'));
    await settle(accepted);
    await screen.findByText(/618 left/);
    let balance = 617;
    mockServer({
      ...listing(() => [
        anEvent({ indexing: { indexed: 1, waiting: 0, failed: 0, total: 1 } }),
        anEvent({ id: 'e2', name: 'Dinner' }),
      ]),
      'GET /api/subscription/credits': () => json({ credits: balance }),
    });
    await act(() => vi.advanceTimersByTimeAsync(6000));
    expect(await screen.findByText(/617 left/)).toBeVisible();
    expect(await screen.findByText('1 of 1 photos searchable, more are on their way')).toBeVisible();
    balance = 616;
    await act(() => vi.advanceTimersByTimeAsync(6000));
    expect(await screen.findByText(/616 left/)).toBeVisible();
  });

  it('shows progress, counts and failures with their reasons, and tries again [UPL007] [UPL008] [UPL009] [UPL010] [CONST036]', async () => {
    renderPage();
    await choose(image('a.jpg'), image('b.jpg'), image('c.jpg'));
    await settle(accepted, {
      kind: 'rejected',
      status: 400,
      error: 'The image is damaged and cannot be read',
    });
    expect(await screen.findByText('2 of 3')).toBeVisible();
    expect(screen.getByRole('progressbar', { name: 'Overall progress' })).toHaveAttribute(
      'aria-valuenow',
      '67',
    );
    const list = screen.getByRole('list', { name: 'Failed Uploads' });
    expect(list).toHaveTextContent('b.jpg');
    // Before the files, so that on a phone failures are not below a list of thousands.
    const file = screen.getByText('a.jpg');
    expect(list.compareDocumentPosition(file) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
    expect(list).toHaveTextContent('The image is damaged and cannot be read');
    const { height, maxHeight, overflow } = getComputedStyle(list);
    expect([height, maxHeight, overflow], 'no higher than it needs, and scrolled').toEqual([
      '',
      '200px',
      'auto',
    ]);
    expect(list, 'scrolled by the keyboard too').toHaveAttribute('tabindex', '0');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Failed Uploads' })).toBeNull());
  });

  it('lists every file with its state and counts them [UPL008] [UPL013] [UPL016] [UPL042]', async () => {
    renderPage();
    await choose(...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => image(`${name}.jpg`)));
    await settle(accepted, { kind: 'accepted', duplicate: true, photo: {} } as UploadOutcome, {
      kind: 'rejected',
      status: 400,
      error: 'The image is damaged and cannot be read',
    });
    await waitFor(() => expect(uploads.requests).toHaveLength(6));
    await settle({ kind: 'unknown' });
    act(() => uploads.requests[4]?.onProgress(42, 100));
    const row = (name: string) => screen.getByText(name).closest('li');
    await waitFor(() => expect(row('e.jpg')).toHaveTextContent('42%'));
    expect(row('a.jpg')).toHaveTextContent('Uploaded');
    expect(row('b.jpg')).toHaveTextContent('Already there');
    expect(screen.getByRole('list', { name: 'Failed Uploads' })).toContainElement(row('c.jpg'));
    expect(row('d.jpg')).toHaveTextContent('Verifying');
    expect(row('f.jpg')).toHaveTextContent('0%');
    for (const name of ['g.jpg', 'h.jpg']) expect(row(name)).toHaveTextContent('Waiting');
    const progress = screen.getByRole('region', { name: 'Progress' });
    for (const count of ['3 of 8', '1 uploaded', '1 failed', '3 in progress', '2 waiting']) {
      expect(progress).toHaveTextContent(count);
    }
    expect(progress).toHaveTextContent('1 already there, free of charge');
    expect(within(progress).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '38');
  });

  it('shows the banner for 5 s when all succeeded [UPL040] [CONST011]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderPage();
    await choose(image('a.jpg'));
    await settle(accepted);
    expect(await screen.findByText('All photos are uploaded.')).toBeVisible();
    vi.setTimerTickMode('manual');
    await act(() => vi.advanceTimersByTimeAsync(4000));
    expect(screen.getByText('All photos are uploaded.')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(screen.queryByText('All photos are uploaded.')).toBeNull();
  });

  it('shows no banner when one failed [UPL041]', async () => {
    renderPage();
    await choose(image('a.jpg'), image('b.jpg'));
    await settle(accepted, { kind: 'rejected', status: 500, error: undefined });
    expect(await screen.findByText('Upload failed')).toBeVisible();
    expect(screen.queryByText('All photos are uploaded.')).toBeNull();
  });

  it('says of a photo that the connection failed that it is tried again, and of a refusal nothing', async () => {
    renderPage();
    await choose(image('a.jpg'), image('b.jpg'));
    await settle(
      { kind: 'rejected', status: 503, error: undefined },
      { kind: 'rejected', status: 400, error: 'This file is not an image' },
    );
    const [cut, refused] = within(await screen.findByRole('list', { name: 'Failed Uploads' })).getAllByRole(
      'listitem',
    );
    expect(cut).toHaveTextContent('It is tried again by itself.');
    expect(refused).not.toHaveTextContent('It is tried again by itself.');
    await waitFor(() => expect(uploads.requests).toHaveLength(3));
    await settle(accepted);
    await waitFor(() =>
      expect(screen.getAllByText(/^a\.jpg$/)[0]?.closest('li')).toHaveTextContent('Uploaded'),
    );
  });

  it('stops for lack of credits and offers to add some or to continue', async () => {
    renderPage();
    await choose(image('a.jpg'));
    await settle({
      kind: 'rejected',
      status: 402,
      error: 'Insufficient credits. Please add credits to continue uploading.',
    });
    expect(await screen.findByRole('link', { name: 'Add credits' })).toHaveAttribute(
      'href',
      '/admin/overview#add-credits',
    );
    fireEvent.click(screen.getByRole('button', { name: 'Continue uploading' }));
    await waitFor(() => expect(uploads.settle).toHaveLength(1));
  });

  it('resumes automatically once credits were added', async () => {
    const { client } = renderPage();
    await choose(image('a.jpg'));
    await settle({ kind: 'rejected', status: 402, error: 'Insufficient credits.' });
    await screen.findByRole('link', { name: 'Add credits' });
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(uploads.settle).toHaveLength(0);
    act(() => void client.setQueryData(creditsKey, (old: object) => ({ ...old, credits: 1618 })));
    await waitFor(() => expect(uploads.settle).toHaveLength(1));
    expect(screen.queryByRole('link', { name: 'Add credits' })).toBeNull();
  });

  it('reads dropped directories recursively, without system files', async () => {
    renderPage();
    await screen.findByLabelText('Choose photos');
    const fileEntry = (name: string, type = 'image/jpeg') => ({
      name,
      isFile: true,
      isDirectory: false,
      fullPath: `/wedding/${name}`,
      file: (done: (file: File) => void, fail: (error: Error) => void) =>
        name === 'locked.jpg' ? fail(new Error('locked')) : done(new File(['x'], name, { type })),
    });
    const folder = (name: string, ...entries: unknown[]) => {
      const batches = [entries.slice(0, 1), entries.slice(1), []];
      return {
        name,
        isFile: false,
        isDirectory: true,
        createReader: () => ({
          readEntries: (done: (batch: unknown) => void) => done(batches.shift() ?? []),
        }),
      };
    };
    const day = folder('day', fileEntry('a.jpg'), fileEntry('.DS_Store', ''), fileEntry('locked.jpg'));
    const root = folder('wedding', day, fileEntry('b.jpg'), fileEntry('notes.txt', 'text/plain'));
    fireEvent.drop(screen.getByTestId('drop-zone'), {
      dataTransfer: {
        files: [],
        items: [{ kind: 'file', type: '', webkitGetAsEntry: () => root, getAsFile: () => null }],
        types: ['Files'],
      },
    });
    expect(await screen.findByText('a.jpg')).toBeVisible();
    expect(screen.getByText('b.jpg')).toBeVisible();
    await waitFor(() => expect(uploads.requests).toHaveLength(2));
    expect(await screen.findByText('1 file is no image and was left out.')).toBeVisible();
  });

  it('offers to resume the unfinished batch of an earlier visit, and uploads only missing files', async () => {
    storedBatches.write([
      {
        eventId: 'e1',
        files: [
          { name: 'a.jpg', size: 1, modified: 5, state: 'done' as const },
          { name: 'b.jpg', size: 1, modified: 5, state: 'missing' as const },
        ],
      },
    ]);
    renderPage();
    expect(await screen.findByText('1 of 2 photos of your last batch is still missing.')).toBeVisible();
    const again = (name: string) => new File(['x'], name, { type: 'image/jpeg', lastModified: 5 });
    await choose(again('a.jpg'), again('b.jpg'));
    expect(await screen.findByText('b.jpg')).toBeVisible();
    expect(screen.queryByText('a.jpg')).toBeNull();
    expect(screen.getByText('1 of the last batch was there already.')).toBeVisible();
    expect(screen.queryByText(/still missing/)).toBeNull();
    await settle(accepted);
    await waitFor(() => expect(storedBatches.read()).toBeNull());
  });

  it('offers no batch of another event, and deletes a dismissed one', async () => {
    const files = [{ name: 'a.jpg', size: 1, modified: 5, state: 'missing' as const }];
    storedBatches.write([{ eventId: 'e2', files }]);
    const { unmount } = renderPage();
    await screen.findByLabelText('Choose photos');
    expect(screen.queryByText(/still missing/)).toBeNull();
    unmount();
    storedBatches.write([
      { eventId: 'e1', files },
      { eventId: 'e2', files },
    ]);
    const { router } = renderPage();
    fireEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(/still missing/)).toBeNull();
    await act(() => router.navigate('/admin/upload?event=e2'));
    expect(await screen.findByText(/still missing/)).toBeVisible();
    expect(storedBatches.read()).toEqual([{ eventId: 'e2', files }]);
  });

  it('holds a wake lock while uploading, and releases it while paused', async () => {
    const release = vi.fn(() => Promise.resolve());
    const request = vi.fn(() => Promise.resolve({ release }));
    Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });
    renderPage();
    await choose(image('a.jpg'));
    await waitFor(() => expect(request).toHaveBeenCalledWith('screen'));
    expect(release).not.toHaveBeenCalled();
    fireEvent.click(await screen.findByRole('button', { name: 'Pause' }));
    await waitFor(() => expect(release).toHaveBeenCalledTimes(1));
    Reflect.deleteProperty(navigator, 'wakeLock');
  });

  it('clears the queue when another event is selected [UPL043]', async () => {
    const { router } = renderPage();
    await choose(image('a.jpg'));
    await screen.findByText('a.jpg');
    await act(() => router.navigate('/admin/upload?event=e2'));
    fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
    expect(await screen.findByText(/^To Dinner\./)).toBeVisible();
    await waitFor(() => expect(screen.queryByText('a.jpg')).toBeNull());
    expect(router.state.location.search).toBe('?event=e2');
  });

  it('goes on uploading to the event of the queue when the address names another one and the answer is Stay', async () => {
    const { router } = renderPage();
    await choose(image('a.jpg'));
    await screen.findByText('a.jpg');
    await act(() => router.navigate('/admin/upload?event=e2'));
    fireEvent.click(await screen.findByRole('button', { name: 'Stay' }));
    expect(await screen.findByText(/^To Sangeet\./)).toBeVisible();
    expect(screen.getByText('a.jpg')).toBeVisible();
    expect(router.state.location.search).toBe('?event=e1');
  });
});
