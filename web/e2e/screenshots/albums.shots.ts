import { createEvent, type Event, logIn, type Photographer, signUp } from '../accounts';
import { chooseSelfie, openEvent } from '../guests';
import { expect, test } from '../fixtures';
import { picture } from '../pictures';
import { saveAtExtremes, saveScreenshot } from './save';

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'albums@example.com');
  const people = ['obama.jpg', 'obama2.jpg', 'obama3.jpg', 'biden.jpg'];
  event = await createEvent(server, request, photographer, 'Aanya & Rohan', people);
  await request.dispose();
});

test('albums', async ({ page }) => {
  await logIn(page, photographer, event);
  await page.goto(`/admin/gallery?event=${event.id}`);
  await page.getByRole('button', { name: 'Albums' }).click();
  await expect(page.getByText('No albums yet.')).toBeVisible();
  await saveScreenshot(page, 'admin-albums-empty', 'window');
  for (const name of ['Ceremony', 'Reception at the lake, with dinner']) {
    await page.getByRole('button', { name: 'New album' }).click();
    await page.getByRole('textbox', { name: 'Album name' }).fill(name);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name: `Rename ${name}` })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Move Reception at the lake, with dinner up' }).click();
  await page.getByRole('button', { name: 'Move Ceremony up' }).click();
  await expect(page.getByRole('listitem').first()).toContainText('Ceremony');
  await saveScreenshot(page, 'admin-albums', 'window');
  await saveAtExtremes(page, 'admin-albums', 'window');
  await page.getByRole('button', { name: 'Close' }).click();

  for (const [album, ...names] of [
    ['Ceremony', 'obama.jpg', 'biden.jpg'],
    ['Reception at the lake, with dinner', 'obama2.jpg', 'obama.jpg'],
  ]) {
    // By keyboard: a forced click goes to where the box was before the bar of the selection came.
    for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).press('Space');
    await page.getByRole('button', { name: 'Add to album' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: album ?? '' }).check();
    if (album === 'Ceremony') await saveScreenshot(page, 'admin-albums-add', 'window');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await expect(dialog).toBeHidden();
  }
  await page.getByRole('radio', { name: 'Ceremony' }).check({ force: true });
  await expect(page.getByRole('button', { name: /Open biden\.jpg/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /Open obama2\.jpg/ })).toBeHidden();
  await saveScreenshot(page, 'admin-gallery-album');
  await page.getByRole('checkbox', { name: 'Select biden.jpg' }).press('Space');
  await expect(page.getByRole('button', { name: 'Remove from album' })).toBeVisible();
  await saveScreenshot(page, 'admin-gallery-album-selection', 'window');
  await saveAtExtremes(page, 'admin-gallery-album-selection', 'window');

  await page.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByRole('button', { name: /Open obama\.jpg/ }).click();
  await page.getByRole('button', { name: 'Show details' }).click();
  await saveScreenshot(page, 'admin-photo-albums', 'window');

  // A guest, whose photos are in both.
  await openEvent(page, event);
  await chooseSelfie(page, picture('obama3.jpg'));
  await expect(page.getByText(/^3 from/)).toBeVisible();
  await saveScreenshot(page, 'guest-albums');
  await page.getByRole('button', { name: 'Ceremony', exact: true }).click();
  await expect(page.getByText(/^1 from/)).toBeVisible();
  await saveScreenshot(page, 'guest-albums-one');
});
