import { readFileSync } from 'node:fs';
import { areIndexed, createEvent, type Event, logIn, type Photographer, signUp } from './accounts';
import { examine } from './axe';
import { expect, test } from './fixtures';
import { chooseSelfie } from './guests';
import { emptyPicture, picture } from './pictures';

const jpeg = (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: readFileSync(picture(name)),
});

let owner: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  owner = await signUp(server, request, 'guestphotos@example.com');
  event = await createEvent(server, request, owner, 'Sangeet', ['biden.jpg']);
  await request.dispose();
});

test('a guest adds two photos, the photographer lets one in and declines one, and a selfie finds it', async ({
  browser,
  page,
  server,
}) => {
  test.setTimeout(180_000);
  await logIn(page, owner, event);
  await test.step('the photographer switches it on', async () => {
    await page.goto(`/admin/settings?event=${event.id}#guests`);
    await page.getByRole('switch', { name: 'Guests may add photos' }).click();
    await expect(page.getByText('Photos from each guest')).toBeVisible();
  });

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const phone = await context.newPage();
  const sheet = phone.getByRole('dialog', { name: 'Add your photos' });
  await test.step('the guest adds two', async () => {
    await phone.goto(`${new URL(page.url()).origin}/event/${event.slug}`);
    await phone.getByRole('button', { name: 'Add your photos' }).click();
    await sheet.getByRole('textbox', { name: 'Your name (optional)' }).fill('Meera');
    await sheet.getByTestId('guest-photos').setInputFiles([
      jpeg('obama.jpg'),
      { name: 'dinner.png', mimeType: 'image/png', buffer: emptyPicture(1) },
    ]);
    await expect(sheet.getByText('Waiting', { exact: true })).toHaveCount(2, { timeout: 60_000 });
    await expect(sheet.getByText('You can add 28 more photos.')).toBeVisible();
    await examine(phone, 'the sheet of a guest');
  });

  await test.step('the photographer looks at them, lets one in and declines one', async () => {
    await page.goto(`/admin/guests?event=${event.id}`);
    await expect(page.getByRole('link', { name: 'Guests Photos from 1 guest to look at' })).toBeVisible();
    const waiting = page.getByRole('article', { name: '2 photos from a guest, Meera' });
    await expect(waiting).toContainText(
      'Not seen by anybody yet. Let in, they cost 2 rupees and are found by selfie.',
    );
    await examine(page, 'photos from guests');
    await waiting.getByRole('button', { name: 'Look at them' }).click();
    const dialog = page.getByRole('dialog', { name: '2 photos from Meera' });
    const shown = dialog.getByRole('img', { name: 'obama.jpg' });
    await expect(shown).toBeVisible();
    // All of it, also of a portrait on a wide screen.
    const place = await shown.boundingBox();
    expect((place?.y ?? 0) + (place?.height ?? Infinity)).toBeLessThan(page.viewportSize()?.height ?? 0);
    await examine(page, 'the dialog of photos from guests');
    await page.keyboard.press('ArrowRight');
    await expect(dialog.getByRole('img', { name: 'dinner.png' })).toBeVisible();
    await page.keyboard.press('d');
    await expect(page.getByText('1 photo is declined.')).toBeAttached();
    await page.keyboard.press('l');
    await expect(page.getByText('1 photo is let in.')).toBeVisible();
    await expect(page.getByText('Nothing to look at')).toBeVisible();
    await expect(page.getByText('2 photos', { exact: true })).toBeVisible();
  });

  await test.step('the guest sees it in, and is found by a selfie', async () => {
    await phone.reload();
    await phone.getByRole('button', { name: 'Add your photos' }).click();
    await expect(sheet.getByText('In', { exact: true })).toBeVisible();
    await expect(sheet.getByText('Waiting', { exact: true })).toHaveCount(0);
    await sheet.getByRole('button', { name: 'Close' }).click();
    await areIndexed(server, page.request, event, 2);
    await chooseSelfie(phone, jpeg('obama2.jpg'));
    await expect(phone.getByText('1 matches found.')).toBeVisible({ timeout: 60_000 });
  });
  await context.close();
});
