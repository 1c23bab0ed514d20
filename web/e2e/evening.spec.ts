import { readFileSync } from 'node:fs';
import { type Page } from '@playwright/test';
import { areIndexed, createEvent, type Event, logIn, type Photographer, signUp } from './accounts';
import { expect, testWithTelling } from './fixtures';
import { chooseSelfie } from './guests';
import { mailedLink } from './outbox';
import { picture } from './pictures';
import { type Server } from './server';
import { hurry, shownOnWall, WallOwner } from './walls';

const GUEST = 'asha.evening@example.com';
/** Milliseconds: maintenance looks each minute. */
const UNTIL_TOLD = 90_000;

interface Fixtures {
  photographer: Photographer;
}

const test = testWithTelling.extend<object, Fixtures>({
  photographer: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext();
      await use(await signUp(server, request, 'evening@example.com'));
      await request.dispose();
    },
    { scope: 'worker' },
  ],
});

const jpeg = (name: string) => ({ name, mimeType: 'image/jpeg', buffer: readFileSync(picture(name)) });

async function upload(page: Page, { url }: Server, { token }: Photographer, event: Event, name: string) {
  const answer = await page.request.post(`${url}/api/photos/upload`, {
    headers: { Authorization: `Bearer ${token}` },
    multipart: { photos: jpeg(name), event_id: event.id },
  });
  expect(answer.status()).toBe(201);
  return (await answer.json()) as { id: string };
}

test('an evening: a selfie before there are photos, the wall, a guest’s own photo, and all of it complete [TELL041]', async ({
  page,
  browser,
  server,
  photographer,
}) => {
  test.setTimeout(360_000);
  const event = await createEvent(server, page.request, photographer, 'Asha & Ravi', []);
  const phoneOf = async () => {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 390, height: 844 },
    });
    return context.newPage();
  };
  const asha = await phoneOf();
  const meera = await phoneOf();
  const wall = await phoneOf();
  await logIn(page, photographer, event);

  await test.step('six o’clock: a guest leaves a selfie and an address', async () => {
    await asha.goto(`/event/${event.slug}`);
    await expect(
      asha.getByText('The photos are not here yet. Leave a selfie now, and we write to you when you are in them.'),
    ).toBeVisible();
    await chooseSelfie(asha);
    await expect(
      asha.getByText('The photos are not here yet. Where shall we write when you are in them?'),
    ).toBeVisible({ timeout: 60_000 });
    await asha.getByRole('textbox', { name: 'Your e-mail address' }).fill(GUEST);
    await asha.getByRole('checkbox').check();
    await asha.getByRole('button', { name: 'Send me a link to confirm' }).click();
    await expect(asha.getByText(/^Check your mail: /)).toBeVisible();
    const confirmation = await mailedLink(server.outbox, GUEST, `/event/${event.slug}#confirm=`);
    await asha.goto('about:blank');
    await asha.goto(confirmation);
    await asha.getByRole('button', { name: 'Yes, tell me' }).click();
    await expect(asha.getByText('Your address is confirmed.')).toBeVisible();
    await page.goto(`/admin/guests?event=${event.id}`);
    await expect(page.getByText('1 guest is told of new photos')).toBeVisible();
  });

  await test.step('the photographer sets up the wall, and lets guests add photos', async () => {
    await wall.addInitScript(hurry);
    await wall.goto(await new WallOwner(server, page.request, photographer, event).make());
    await expect(wall.getByText(event.name)).toBeVisible();
    await page.goto(`/admin/settings?event=${event.id}#guests`);
    await page.getByRole('switch', { name: 'Guests may add photos' }).click();
    await expect(page.getByText('Photos from each guest')).toBeVisible();
  });

  await test.step('seven o’clock: photos come, onto the wall and to whoever waits for them', async () => {
    const photo = await upload(page, server, photographer, event, 'obama2.jpg');
    await expect.poll(() => wall.evaluate(shownOnWall), { timeout: 60_000 }).toBe(photo.id);
    const link = await mailedLink(server.outbox, GUEST, `/event/${event.slug}#results=`, UNTIL_TOLD);
    await asha.goto('about:blank');
    await asha.goto(link);
    await expect(asha.getByText(`1 from ${event.name}`)).toBeVisible({ timeout: 60_000 });
  });

  await test.step('a guest’s own photo is let in, and shown on the wall', async () => {
    await meera.goto(`/event/${event.slug}`);
    await meera.getByRole('button', { name: 'Add your photos' }).click();
    const sheet = meera.getByRole('dialog', { name: 'Add your photos' });
    await sheet.getByRole('textbox', { name: 'Your name (optional)' }).fill('Meera');
    await sheet.getByTestId('guest-photos').setInputFiles([jpeg('obama3.jpg')]);
    await expect(sheet.getByText('Waiting', { exact: true })).toHaveCount(1, { timeout: 60_000 });
    const before = await wall.evaluate(shownOnWall);
    await page.goto(`/admin/guests?event=${event.id}`);
    await page
      .getByRole('article', { name: '1 photo from a guest, Meera' })
      .getByRole('button', { name: 'Look at it' })
      .click();
    await page.getByRole('dialog', { name: '1 photo from Meera' }).getByRole('button', { name: 'Let in', exact: true }).click();
    await expect(page.getByText('1 photo is let in.')).toBeVisible();
    await expect.poll(() => wall.evaluate(shownOnWall), { timeout: 60_000 }).not.toBe(before);
    await areIndexed(server, page.request, event, 2);
    await meera.reload();
    await chooseSelfie(meera, jpeg('obama.jpg'));
    await expect(meera.getByText(`2 from ${event.name}`)).toBeVisible({ timeout: 60_000 });
  });

  await test.step('the photos are complete, and guests are told so', async () => {
    await page.goto(`/admin/gallery?event=${event.id}`);
    await page.getByRole('button', { name: 'Guests: own photos', exact: true }).click();
    const popover = page.getByRole('dialog', { name: 'What guests see' });
    await popover.getByRole('radio', { name: /Complete/ }).click();
    await popover.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('dialog', { name: 'Are the photos complete?' })
      .getByRole('button', { name: 'They are complete' })
      .click();
    await expect(popover).toBeHidden();
    await expect(page.getByRole('button', { name: 'Guests: complete', exact: true })).toBeVisible();
    const late = await phoneOf();
    await late.goto(`/event/${event.slug}`);
    await expect(late.getByText('The photos are complete. No more are coming.')).toBeVisible();
    await late.context().close();
  });

  for (const each of [asha, meera, wall]) await each.context().close();
});
