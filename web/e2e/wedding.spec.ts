import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Page } from '@playwright/test';
import { createEvent, logIn, signUp } from './accounts';
import { expect, test } from './fixtures';
import { chooseSelfie, openEvent } from './guests';
import { emptyPicture, isGuestCopy, picture } from './pictures';
import { entriesOf, filesOf } from './zips';

/** A JPEG of somebody with bytes of its own: what stands behind the end of the picture is no part of it. */
const portrait = (name: string, mark: string): Buffer =>
  Buffer.concat([readFileSync(picture(name)), Buffer.from(mark)]);

/** Writes a folder with these files. */
function folder(root: string, files: Readonly<Record<string, Buffer>>): string {
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), bytes);
  }
  return root;
}

const drop = (page: Page, path: string) => page.getByLabel('Choose a folder of photos').setInputFiles(path);

test('a wedding: folders, a credit that runs out, albums, edits and one ZIP of all [UPL240] [UPL241] [UPL245] [GAL403]', async ({
  page,
  browser,
  request,
  server,
}) => {
  test.setTimeout(180_000);
  const root = mkdtempSync(join(tmpdir(), 'afterglow-wedding-'));
  const photographer = await signUp(server, request, 'wedding@example.com');
  const event = await createEvent(server, request, photographer, 'Priya & Arjun', []);
  const headers = { Authorization: `Bearer ${photographer.token}` };
  const credits = async () =>
    (
      (await (await request.get(`${server.url}/api/subscription/credits`, { headers })).json()) as {
        credits: number;
      }
    ).credits;
  const grant = async (left: number) => {
    const change = String(left - (await credits()));
    server.run('credits', 'grant', 'wedding@example.com', '--reason', 'For the test', '--', change);
  };
  const card = folder(join(root, 'Wedding'), {
    'Ceremony/IMG_01.JPG': portrait('obama.jpg', 'ceremony'),
    'Ceremony/IMG_02.png': emptyPicture(1),
    'Dinner/IMG_03.JPG': portrait('obama2.jpg', 'dinner'),
    'Dinner/IMG_04.png': emptyPicture(2),
    'Dinner/torn.jpg': portrait('biden.jpg', '').subarray(0, 900),
    'Party/IMG_05.JPG': portrait('biden.jpg', 'party'),
  });

  // Six files, and credit for three.
  await grant(3);
  await logIn(page, photographer, event);
  await page.goto('/admin/upload');
  await drop(page, card);
  await expect(page.getByText('This batch is larger than your credit: 6 photos, 3 credits.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add credits' })).toBeVisible();
  expect(await credits()).toBe(3);
  await page.getByRole('button', { name: 'Upload the first 3 photos' }).click();
  await expect(page.getByText('Uploading has stopped: the credit is used up.')).toBeVisible();
  expect(await credits()).toBe(0);

  // The rest, once there is credit again: nothing is paid twice.
  await grant(50);
  await page.reload();
  await drop(page, card);
  await expect(page.getByText('Wedding/Dinner/torn.jpg')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Make albums from the 3 folders?' })).toBeVisible();
  expect(await credits()).toBe(48);
  await page.getByRole('button', { name: 'Make albums' }).click();
  await expect(page.getByText('5 photos are in the albums of their folders.')).toBeVisible();

  // Edits under the same names, then the card again by mistake.
  const edited = portrait('obama3.jpg', 'edited');
  await page.goto('/admin/upload');
  await drop(page, folder(join(root, 'Edited'), { 'img_01.jpg': edited }));
  await page.getByRole('button', { name: 'Replace 1 edited photo' }).click();
  await expect(page.getByText('Replaced', { exact: true })).toBeVisible();
  rmSync(join(card, 'Dinner', 'torn.jpg'));
  await page.goto('/admin/upload');
  await drop(page, card);
  await expect(page.getByText('All photos were there already, free of charge.')).toBeVisible();
  expect(await credits()).toBe(48);

  // The couple takes everything.
  const shared = await request.patch(`${server.url}/api/events/${event.id}`, {
    headers,
    data: { browsable: true },
  });
  expect(shared.ok()).toBe(true);
  const indexed = async () =>
    (
      (await (await request.get(`${server.url}/api/events/${event.slug}`)).json()) as {
        indexing: { indexed: number };
      }
    ).indexing.indexed;
  await expect.poll(indexed, { timeout: 90_000 }).toBe(5);
  const guest = await (await browser.newContext({ baseURL: server.url })).newPage();
  await openEvent(guest, event);
  await guest.getByRole('button', { name: 'Browse all photos' }).click();
  await guest.getByRole('button', { name: 'Download all' }).click();
  await expect(guest.getByText(/^5 photos, [\d.]+ MB$/)).toBeVisible();
  const saving = guest.waitForEvent('download');
  await guest.getByRole('button', { name: 'Download all as one ZIP' }).click();
  const zip = readFileSync(await (await saving).path());
  expect(entriesOf(zip)).toHaveLength(5);
  const files = [...filesOf(zip).values()];
  // What stands behind the end of a picture goes.
  const has = (name: string, mark: string) =>
    files.some((file) =>
      isGuestCopy(file.subarray(0, file.length - mark.length), readFileSync(picture(name))),
    );
  expect(has('obama3.jpg', 'edited')).toBe(true);
  expect(has('obama.jpg', 'ceremony')).toBe(false);

  // And a guest finds the edit, not what it has replaced.
  await openEvent(guest, event);
  await chooseSelfie(guest);
  await expect(guest.getByText(`2 from ${event.name}`)).toBeVisible({ timeout: 60_000 });
  await guest.context().close();
  rmSync(root, { recursive: true, force: true });
});
