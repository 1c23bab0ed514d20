import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { aPhoto } from '../../../testing/fixtures';
import { errorResponse, json } from '../../../testing/server';
import { saveBlob } from '../../../ui/saveFile';
import { chooseFilter, photos, renderPage, searching, setUpGallery } from './testing';

vi.mock('../../../ui/saveFile');

const route = 'POST /api/photos/names';

beforeEach(() => {
  setUpGallery();
  vi.mocked(saveBlob).mockClear();
});

/** The dialog about the first two photos. */
async function openDialog() {
  for (const name of ['DSC_1.jpg', 'DSC_0.jpg'])
    fireEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
  fireEvent.click(screen.getByRole('button', { name: 'File names' }));
  return within(await screen.findByRole('dialog', { name: 'File names' }));
}

it('copies the names of the selected photos, with or without endings [GAL486]', async () => {
  const user = userEvent.setup();
  const { callsTo } = renderPage({
    'GET /api/photos/search': searching(photos(3)),
    [route]: ({ body }) =>
      new Response(
        (body as { without_endings: boolean }).without_endings ? 'DSC_0\nDSC_1\n' : 'DSC_0.jpg\nDSC_1.jpg\n',
      ),
  });
  const dialog = await openDialog();
  expect(dialog.getByText('The names of 2 photos, to find their originals again.')).toBeVisible();
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Copy' })).toBeEnabled());
  await user.click(dialog.getByRole('button', { name: 'Copy' }));
  expect(await dialog.findByRole('button', { name: 'Copied' })).toBeVisible();
  expect(dialog.getByRole('status')).toHaveTextContent('Copied');
  expect(await navigator.clipboard.readText()).toBe('DSC_0.jpg, DSC_1.jpg');

  await user.click(dialog.getByRole('checkbox', { name: 'Without endings, for raw files' }));
  await waitFor(() => expect(callsTo(route)).toHaveLength(2));
  await waitFor(() => expect(dialog.getByRole('button', { name: /Cop/ })).toBeEnabled());
  await user.click(dialog.getByRole('button', { name: /Cop/ }));
  expect(await navigator.clipboard.readText()).toBe('DSC_0, DSC_1');
  expect(callsTo(route)[1]?.body).toMatchObject({
    event_id: 'e1',
    photo_ids: ['p0', 'p1'],
    format: 'txt',
    without_endings: true,
  });
});

it('saves sidecars with the stars and the label that were chosen [GAL488]', async () => {
  const { callsTo } = renderPage({
    'GET /api/photos/search': searching(photos(3)),
    [route]: () => new Response('zip'),
  });
  const dialog = await openDialog();
  fireEvent.click(dialog.getByRole('radio', { name: 'Stars and color labels (XMP)' }));
  expect(dialog.queryByRole('button', { name: 'Copy' })).toBeNull();
  fireEvent.change(dialog.getByRole('combobox', { name: 'Stars' }), { target: { value: '3' } });
  fireEvent.change(dialog.getByRole('combobox', { name: 'Color label' }), { target: { value: 'blue' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(saveBlob).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'sangeet-k7m2x9q4tr-sidecars.zip'),
  );
  expect(callsTo(route).at(-1)?.body).toMatchObject({ format: 'xmp', rating: 3, label: 'blue' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('says why names could not be listed, and stays open [GAL486]', async () => {
  renderPage({ 'GET /api/photos/search': searching(photos(3)), [route]: () => errorResponse(500) });
  const dialog = await openDialog();
  expect(await dialog.findByText('The names could not be listed. Please try again.')).toBeVisible();
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('The names could not be listed. Please try again.')).toBeVisible();
  expect(saveBlob).not.toHaveBeenCalled();
});

it('lists photos by hearts, and blurred ones with how sharp they are [GAL480] [GAL482] [GAL483]', async () => {
  const [loved, soft] = [aPhoto({ id: 'p1', hearts: 3 }), aPhoto({ id: 'p2', hearts: 1, sharpness: 0.27 })];
  const { lastList } = renderPage({
    'GET /api/photos/search': () => json({ photos: [loved, soft], total_count: 2, next_cursor: null }),
  });
  await chooseFilter('With hearts', 'Most hearts first');
  await waitFor(() => {
    const query = lastList();
    expect([query?.get('hearted'), query?.get('sort')]).toEqual(['true', 'hearts']);
  });
  expect(screen.getByText('3 hearts')).toBeInTheDocument();
  expect(screen.queryByText('27% sharp')).toBeNull();
  await chooseFilter('Blurred', 'Least sharp first');
  expect(await screen.findByText('27% sharp')).toBeVisible();
  // The figure may be there before the order is asked for.
  await waitFor(() => {
    const query = lastList();
    expect([query?.get('blurred'), query?.get('sort'), query?.get('hearted')]).toEqual([
      'true',
      'sharpness',
      null,
    ]);
  });
});
