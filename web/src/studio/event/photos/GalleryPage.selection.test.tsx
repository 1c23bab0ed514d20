import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { saveFile } from '../../../ui/saveFile';
import { selectEvent } from '../../../platform/session/selection';
import { anEvent } from '../../../testing/fixtures';
import { errorResponse, json } from '../../../testing/server';
import { deleting, findByName, photos, renderPage, searching, setUpGallery } from './testing';

vi.mock('../../../ui/saveFile');

beforeEach(() => {
  setUpGallery();
  vi.mocked(saveFile).mockClear();
});

describe('the selection', () => {
  const checkbox = (index: number) => screen.findByRole('checkbox', { name: `Select DSC_${index}.jpg` });
  const checked = () =>
    screen
      .getAllByRole('checkbox', { name: /^Select DSC_/ })
      .filter((box) => (box as HTMLInputElement).checked)
      .map((box) => box.getAttribute('aria-label')?.replace('Select ', ''));
  const names = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `DSC_${from + index}.jpg`);
  const tenPhotos = {
    'GET /api/photos/search': searching(photos(10)),
  };

  const pointer = (type: string, target: Element | Window, x: number, y: number, pointerType = 'mouse') =>
    fireEvent(
      target,
      Object.assign(new MouseEvent(type, { bubbles: true, button: 0, clientX: x, clientY: y }), {
        pointerType,
      }),
    );

  beforeEach(() => selectEvent(anEvent()));

  it('deletes only what is visible, and says how much a filter hides [GAL039] [GAL160]', async () => {
    const { callsTo } = renderPage({
      ...tenPhotos,
      'POST /api/photos/trash': deleting,
    });
    for (const index of [1, 2]) fireEvent.click(await checkbox(index));
    expect(screen.getByRole('button', { name: 'Delete 2' })).toBeVisible();
    findByName('dsc_2');
    expect(await screen.findByText('1 more is hidden by the filter.')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Delete 1' }));
    await waitFor(() => expect(screen.getByText('Photo deleted.')).toBeVisible());
    expect(callsTo('POST /api/photos/trash').map(({ body }) => body)).toEqual([
      { event_id: 'e1', photo_ids: ['p2'], all: false },
    ]);
    findByName('');
    await waitFor(() => expect(checked()).toContain('DSC_1.jpg'));
  });

  it('keeps what could not be deleted selected, and says so [GAL161]', async () => {
    const { callsTo } = renderPage({ ...tenPhotos, 'POST /api/photos/trash': () => errorResponse(500) });
    for (const index of [1, 2]) fireEvent.click(await checkbox(index));
    fireEvent.click(screen.getByRole('button', { name: 'Delete 2' }));
    expect(await screen.findByText('The photos could not be deleted. Please try again.')).toBeVisible();
    expect(checked()).toEqual(['DSC_1.jpg', 'DSC_2.jpg']);
    await waitFor(() => expect(callsTo('GET /api/photos/search').length).toBeGreaterThan(1));
  });

  it('is deleted and downloaded by one request each [GAL141] [GAL171]', async () => {
    const { callsTo } = renderPage({
      ...tenPhotos,
      'POST /api/photos/trash': deleting,
      'POST /api/photos/download': () => json({ download_token: 'a-b_c', photos: 10 }, 201),
    });
    await checkbox(1);
    fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });
    await screen.findByRole('button', { name: 'Delete 10' });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Download' })).toBeEnabled());
    fireEvent.click(screen.getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledExactlyOnceWith('/api/face/download/a-b_c.zip', ''));
    const all = { event_id: 'e1', photo_ids: photos(10).map(({ id }) => id), all: false };
    expect(callsTo('POST /api/photos/download').map(({ body }) => body)).toEqual([all]);
    fireEvent.click(screen.getByRole('button', { name: 'Delete 10' }));
    expect(await screen.findByText('10 photos deleted.')).toBeInTheDocument();
    expect(callsTo('POST /api/photos/trash').map(({ body }) => body)).toEqual([all]);
  });

  it('is all photos as one ZIP while nothing is selected, whose size is said before [GAL410]', async () => {
    const answers = [
      () => errorResponse(503, 'The service is busy. Please try again in a moment.'),
      () => json({ download_token: 'a-b_c', photos: 1200 }, 201),
    ];
    const { callsTo } = renderPage({
      ...tenPhotos,
      'GET /api/events/e1/albums': () => json({ albums: [{ id: 'c', name: 'Ceremony' }] }),
      'POST /api/photos/download': () => (answers.shift() as () => Response)(),
      'HEAD /api/face/download/a-b_c.zip': () =>
        new Response(null, { headers: { 'Content-Length': '1288490189' } }),
    });
    fireEvent.click(await screen.findByRole('radio', { name: 'Ceremony' }));
    await checkbox(1);
    fireEvent.click(screen.getByRole('button', { name: 'Select' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Download all' }));
    const busy = await screen.findByText('The service is busy. Please try again in a moment.');
    expect(busy).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('1,200 photos, 1.2 GB')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Download as one ZIP' }));
    expect(saveFile).toHaveBeenCalledExactlyOnceWith('/api/face/download/a-b_c.zip', '');
    const asked = { event_id: 'e1', all: true, album_id: 'c' };
    expect(callsTo('POST /api/photos/download').map(({ body }) => body)).toEqual([asked, asked]);
  });

  it('is not all photos where a filter leaves some of them out', async () => {
    renderPage(tenPhotos);
    await checkbox(1);
    findByName('dsc_2');
    fireEvent.click(screen.getByRole('button', { name: 'Select' }));
    expect(await screen.findByRole('button', { name: 'Download' })).toBeDisabled();
    expect(screen.queryByRole('button', { name: 'Download all' })).not.toBeInTheDocument();
  });

  it('says what the server says when the ZIP cannot be prepared', async () => {
    const text = 'At most 10,000 photos can be chosen in one call';
    renderPage({
      ...tenPhotos,
      'POST /api/photos/download': () => errorResponse(400, text, 'too_many_photos_chosen'),
    });
    fireEvent.click(await checkbox(1));
    fireEvent.click(screen.getByRole('button', { name: 'Download' }));
    expect(await screen.findByText(text)).toBeVisible();
    expect(saveFile).not.toHaveBeenCalled();
  });

  it('is deleted without a question, once, and comes back by Undo [GAL422]', async () => {
    const { callsTo } = renderPage({
      ...tenPhotos,
      'POST /api/photos/trash': deleting,
      'POST /api/photos/trash/restore': () => json({ restored: 1 }),
    });
    fireEvent.click(await checkbox(1));
    const button = screen.getByRole('button', { name: 'Delete 1' });
    fireEvent.click(button);
    fireEvent.click(button);
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Photo restored.')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(callsTo('POST /api/photos/trash')).toHaveLength(1);
    expect(callsTo('POST /api/photos/trash/restore').map(({ body }) => body)).toEqual([
      { event_id: 'e1', photo_ids: ['p1'], all: false },
    ]);
  });

  it('[GAL514] Undo brings back what was deleted by this, and nothing that somebody else had deleted', async () => {
    let moved = ['p2'];
    const { callsTo } = renderPage({
      ...tenPhotos,
      'POST /api/photos/trash': () => json({ deleted: moved.length, photo_ids: moved }),
      'POST /api/photos/trash/restore': () => json({ restored: 1 }),
    });
    for (const index of [1, 2]) fireEvent.click(await checkbox(index));
    fireEvent.click(screen.getByRole('button', { name: 'Delete 2' }));
    expect(await screen.findByText('Photo deleted.')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Photo restored.')).toBeVisible();
    expect(callsTo('POST /api/photos/trash/restore').map(({ body }) => body)).toEqual([
      { event_id: 'e1', photo_ids: ['p2'], all: false },
    ]);
    moved = [];
    fireEvent.click(await checkbox(3));
    fireEvent.click(screen.getByRole('button', { name: 'Delete 1' }));
    expect(await screen.findByText('The photo had been deleted already.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('selects a range with Shift, everything with Ctrl+A, and nothing with Esc', async () => {
    renderPage({ ...tenPhotos, 'POST /api/photos/trash': deleting });
    fireEvent.click(await checkbox(2));
    fireEvent.click(await screen.findByRole('button', { name: /Select DSC_5\.jpg/ }), { shiftKey: true });
    expect(checked()).toEqual(names(2, 5));
    fireEvent.click(await checkbox(0), { shiftKey: true });
    expect(checked()).toEqual(names(0, 5));
    fireEvent.keyDown(document.body, { key: 'a', ctrlKey: true });
    await waitFor(() => expect(checked()).toEqual(names(0, 9)));
    expect(screen.getByRole('button', { name: 'Delete 10' })).toBeVisible();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(checked()).toEqual([]);
    expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull();
    fireEvent.click(await screen.findByRole('button', { name: /Open DSC_3\.jpg/ }), { ctrlKey: true });
    expect(checked()).toEqual(['DSC_3.jpg']);
    fireEvent.keyDown(document.body, { key: 'Delete' });
    expect(await screen.findByText('Photo deleted.')).toBeVisible();
  });

  it('ignores the keys in a text field and in a dialog', async () => {
    renderPage(tenPhotos);
    fireEvent.click(await checkbox(2));
    fireEvent.click(screen.getByRole('button', { name: 'Find by file name' }));
    const field = screen.getByRole('searchbox');
    expect(fireEvent.keyDown(field, { key: 'a', ctrlKey: true })).toBe(true);
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(checked()).toEqual(['DSC_2.jpg']);
    fireEvent.click(screen.getByRole('button', { name: 'Sort and filter' }));
    const dialog = await screen.findByRole('dialog');
    fireEvent.keyDown(dialog, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(checked()).toEqual(['DSC_2.jpg']);
  });

  // ? lists the keys, and so does a button.
  it('is made with the keyboard too: arrows, Space, Shift', async () => {
    renderPage(tenPhotos);
    await checkbox(0);
    const tile = (index: number) => screen.getByRole('button', { name: new RegExp(`DSC_${index}\\.jpg`) });
    tile(0).focus();
    const press = (key: string, options = {}) =>
      fireEvent.keyDown(document.activeElement as Element, { key, ...options });
    press('ArrowRight');
    expect(tile(1)).toHaveFocus();
    press('ArrowRight', { shiftKey: true });
    await waitFor(() => expect(checked()).toEqual(names(1, 2)));
    press('ArrowRight', { shiftKey: true });
    await waitFor(() => expect(checked()).toEqual(names(1, 3)));
    expect(tile(3)).toHaveFocus();
    press(' ');
    await waitFor(() => expect(checked()).toEqual(names(1, 2)));
    press('?');
    expect(await screen.findByRole('dialog', { name: 'Keys of the gallery' })).toBeVisible();
  });

  it('takes what the mouse is dragged over, and gives back what it leaves', async () => {
    renderPage(tenPhotos);
    const box = await checkbox(0);
    const list = screen.getByRole('list', { name: 'Photos' });
    pointer('pointerdown', list, 10, 60);
    pointer('pointermove', window, 12, 62);
    expect(checked()).toEqual([]);
    pointer('pointermove', window, 990, 80);
    await waitFor(() => expect(checked().length).toBeGreaterThan(1));
    pointer('pointermove', window, 20, 80);
    await waitFor(() => expect(checked()).toEqual(['DSC_0.jpg']));
    pointer('pointerup', window, 20, 80);
    // The click of the release opens nothing.
    fireEvent.click(screen.getByRole('button', { name: /DSC_0\.jpg/ }));
    expect((box as HTMLInputElement).checked).toBe(true);
  });

  it('leaves a finger to scroll the page', async () => {
    renderPage(tenPhotos);
    await checkbox(0);
    pointer('pointerdown', screen.getByRole('list', { name: 'Photos' }), 10, 60, 'touch');
    pointer('pointermove', window, 500, 300, 'touch');
    pointer('pointerup', window, 500, 300, 'touch');
    expect(checked()).toEqual([]);
  });

  it('leaves other buttons of a tile their keys, and text fields theirs', async () => {
    const failed = { ...photos(1)[0], status: 'failed', failure: 'The image is damaged.' };
    renderPage({
      'GET /api/photos/search': () => json({ photos: [failed], total_count: 1, next_cursor: null }),
    });
    const again = await screen.findByRole('button', { name: /^Try again/ });
    expect(fireEvent.keyDown(again, { key: ' ' })).toBe(true);
    expect(fireEvent.keyUp(again, { key: ' ' })).toBe(true);
    expect(checked()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Find by file name' }));
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: '?' });
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Sort and filter' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Keys' }));
    expect(await screen.findByRole('dialog', { name: 'Keys of the gallery' })).toBeVisible();
  });

  it('starts with a button where the pointer cannot hover', async () => {
    renderPage(tenPhotos);
    await checkbox(0);
    fireEvent.click(screen.getByRole('button', { name: 'Select' }));
    expect(screen.getByRole('button', { name: 'Delete' })).toBeDisabled();
    fireEvent.click(await screen.findByRole('button', { name: /Select DSC_3\.jpg/ }));
    expect(checked()).toEqual(['DSC_3.jpg']);
    fireEvent.click(screen.getByRole('button', { name: 'Clear selection' }));
    expect(await screen.findByRole('button', { name: /Open DSC_3\.jpg/ })).toBeVisible();
  });
});
