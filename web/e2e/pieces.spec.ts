import { type Page } from '@playwright/test';
import { createEvent, logIn, type Photographer, signUp } from './accounts';
import { startCuttingProxy } from './cuttingProxy';
import { expect, test } from './fixtures';
import { networkOf } from './network';

const megabyte = 1_048_576;

/** A BMP of 9 MB in which nobody is. Another `seed` gives other bytes. */
function largePicture(seed: number): Buffer {
  const [width, height, head] = [2000, 1573, 54];
  const bytes = Buffer.alloc(head + width * 3 * height, seed);
  bytes.fill(0, 0, head);
  bytes.write('BM', 'latin1');
  for (const [at, number] of [
    [2, bytes.length],
    [10, head],
    [14, 40],
    [18, width],
    [22, height],
    [34, bytes.length - head],
  ] as const) {
    bytes.writeUInt32LE(number, at);
  }
  bytes.writeUInt16LE(1, 26); // planes
  bytes.writeUInt16LE(24, 28); // bits a pixel
  return bytes;
}

const progress = (page: Page) => page.getByRole('region', { name: 'Progress' });

/** Where the pieces of the page begin, in the order in which they are sent. */
function pieceOffsets(page: Page): number[] {
  const offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  return offsets;
}

/** The only photo of the photographer, as it is stored. */
async function storedOriginal(page: Page, url: string, { token }: Photographer): Promise<Buffer> {
  const headers = { Authorization: `Bearer ${token}` };
  const found = await page.request.get(`${url}/api/photos/search`, { headers });
  const { photos } = (await found.json()) as { photos: { id: string }[] };
  expect(photos).toHaveLength(1);
  const original = await page.request.get(`${url}/api/photos/${photos[0]?.id ?? ''}/file?size=original`, { headers });
  return original.body();
}

test('a large photo arrives over a line that breaks every 3 MB, each byte once, and is charged once [UPL200]', async ({
  page,
  server,
  request,
}) => {
  const photographer = await signUp(server, request, 'pieces@example.com');
  const event = await createEvent(server, request, photographer, 'Sangeet', []);
  const proxy = await startCuttingProxy(server.url, 3 * megabyte, 2);
  try {
    const offsets = pieceOffsets(page);
    await logIn(page, photographer, event);
    await page.goto(`${proxy.url}/admin/upload`);
    const photo = largePicture(7);
    await page
      .getByLabel('Choose photos')
      .setInputFiles([{ name: 'DSC_1.bmp', mimeType: 'image/bmp', buffer: photo }]);
    await expect(progress(page)).toContainText('1 uploaded', { timeout: 60_000 });
    expect(proxy.cuts()).toBe(2);
    expect(offsets[0]).toBe(0);
    // It went on, wherever a busy server was when the line broke.
    expect(offsets.at(-1)).toBeGreaterThan(0);
    await expect(page.getByText('1 credit a photo, 99 left')).toBeVisible();
    expect((await storedOriginal(page, server.url, photographer)).equals(photo)).toBe(true);
  } finally {
    await proxy.stop();
  }
});

test('a large photo goes on after a reload, without being chosen again', async ({
  page,
  server,
  request,
}) => {
  page.on('dialog', (dialog) => void dialog.accept());
  const photographer = await signUp(server, request, 'reload@example.com');
  await logIn(page, photographer, await createEvent(server, request, photographer, 'Mehndi', []));
  await page.goto('/admin/upload');
  const photo = largePicture(9);
  // The dialog cannot be operated from here; the handle that it would give is one of the browser's own.
  await page.evaluate(async (base64) => {
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle('DSC_2.bmp', { create: true });
    const file = await handle.createWritable();
    await file.write(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
    await file.close();
    Object.assign(window, { showOpenFilePicker: () => Promise.resolve([handle]) });
  }, photo.toString('base64'));
  const network = await networkOf(page);
  await network.throttle(600_000);
  await page.getByRole('button', { name: 'Choose files' }).click();
  const percent = async () => parseInt((await page.getByText(/^\d+%$/).first().textContent()) ?? '', 10);
  await expect.poll(percent).toBeGreaterThan(25);
  await page.reload();
  await network.restore();
  await expect(page.getByText('1 of 1 photo of your last batch is still missing.')).toBeVisible();
  const offsets = pieceOffsets(page);
  await page.getByRole('button', { name: 'Continue uploading' }).click();
  await expect(progress(page)).toContainText('1 uploaded');
  expect(offsets).toHaveLength(1);
  expect(offsets[0]).toBeGreaterThan(0);
  expect((await storedOriginal(page, server.url, photographer)).equals(photo)).toBe(true);
  await page.reload();
  await expect(page.getByTestId('drop-zone')).toBeVisible();
  await expect(page.getByText('still missing')).toBeHidden();
});
