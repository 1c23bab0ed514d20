import { readFileSync } from 'node:fs';
import { type Page } from '@playwright/test';
import { createEvent, type Event, type Photographer, signUp } from './accounts';
import { examine } from './axe';
import { expect, testWithTelling } from './fixtures';
import { chooseSelfie, findPhotos, openEvent } from './guests';
import { mailedLink } from './outbox';
import { picture } from './pictures';
import { type Server } from './server';

const GUEST = 'asha@example.com';
/** Milliseconds: maintenance looks each minute. */
const UNTIL_TOLD = 90_000;

interface Fixtures {
  photographer: Photographer;
  event: Event;
}

const test = testWithTelling.extend<object, Fixtures>({
  photographer: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext();
      await use(await signUp(server, request, 'telling@example.com'));
      await request.dispose();
    },
    { scope: 'worker' },
  ],
  event: [
    async ({ server, photographer, playwright }, use) => {
      const request = await playwright.request.newContext();
      const photos = ['obama2.jpg', 'obama3.jpg', 'biden.jpg'];
      await use(await createEvent(server, request, photographer, 'Asha & Ravi', photos));
      await request.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

async function askToBeTold(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Tell me about new photos' }).click();
  await examine(page, 'the form');
  await page.getByRole('textbox', { name: 'Your e-mail address' }).fill(GUEST);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Send me a link to confirm' }).click();
  await expect(page.getByText(/^Check your mail: /)).toBeVisible();
}

/** Photos that come while guests look. */
async function upload(
  page: Page,
  { url }: Server,
  { token }: Photographer,
  event: Event,
  name: string,
): Promise<void> {
  const added = await page.request.post(`${url}/api/photos/upload`, {
    headers: { Authorization: `Bearer ${token}` },
    multipart: {
      photos: { name, mimeType: 'image/jpeg', buffer: readFileSync(picture(name)) },
      event_id: event.id,
    },
  });
  expect(added.status()).toBe(201);
}

test('a guest’s evening: photos come while one looks, and are there when one comes back [FACE526] [FACE521] [FACE527]', async ({
  page,
  context,
  server,
  photographer,
}) => {
  const event = await createEvent(server, page.request, photographer, 'Evening', ['obama2.jpg', 'biden.jpg']);
  const found = (count: number) => `${count} from ${event.name}`;
  await page.clock.install();
  await openEvent(page, event);
  await chooseSelfie(page);
  await expect(page.getByText(found(1))).toBeVisible({ timeout: 60_000 });

  // The second batch of the evening, of which the page learns within a minute.
  await upload(page, server, photographer, event, 'obama3.jpg');
  await expect(async () => {
    await page.clock.fastForward('01:01');
    await expect(page.getByText(found(2))).toBeVisible({ timeout: 4_000 });
  }).toPass({ timeout: 60_000 });
  await expect(page.getByText('1 new photo of you.')).toBeVisible();

  await page.getByRole('button', { name: /^Keep my photos on this/ }).click();
  await examine(page, 'the ways to come back');
  await page.getByRole('textbox', { name: 'Your e-mail address' }).fill('evening@example.com');
  await page.getByRole('button', { name: 'Send me my link' }).click();
  await expect(page.getByText('The link is on its way to evening@example.com.')).toBeVisible();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Keep my photos here' }).click();
  await expect(page.getByText(/^Your photos are kept here: /)).toBeVisible();
  await page.close();

  // The third comes while nobody looks.
  const later = await context.newPage();
  await upload(later, server, photographer, event, 'obama.jpg');
  await expect(async () => {
    await later.goto(`/event/${event.slug}`);
    await expect(later.getByText(found(3))).toBeVisible({ timeout: 5_000 });
    await later.evaluate(() => sessionStorage.clear());
  }).toPass({ timeout: 60_000 });

  await later.getByRole('button', { name: 'Your photos are kept here' }).click();
  await later.getByRole('button', { name: 'Forget me here' }).click();
  await expect(later.getByText('Nothing of you is kept here any more.')).toBeVisible();
  await later.close();
  const stranger = await context.newPage();
  await openEvent(stranger, event);
  await stranger.goto('about:blank');
  await stranger.goto(
    await mailedLink(server.outbox, 'evening@example.com', `/event/${event.slug}#results=`),
  );
  await expect(stranger.getByText(found(2))).toBeVisible();
});

test('a guest is told of a new photo, sees it, and ends the mails [TELL025] [TELL039]', async ({
  page,
  server,
  event,
  photographer,
}) => {
  await findPhotos(page, event);
  await askToBeTold(page);
  await examine(page, 'after the address was sent');

  const confirmation = await mailedLink(server.outbox, GUEST, `/event/${event.slug}#confirm=`);
  await page.goto('about:blank');
  await page.goto(confirmation);
  await expect(page.getByRole('button', { name: 'Yes, tell me' })).toBeVisible();
  await examine(page, 'the page that confirms');
  await page.getByRole('button', { name: 'Yes, tell me' }).click();
  await expect(page.getByText('Your address is confirmed.')).toBeVisible();
  await examine(page, 'the page that has confirmed');
  await page.getByRole('link', { name: 'Go to the event' }).click();
  // The same tab still has the results.
  await expect(page.getByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();

  await upload(page, server, photographer, event, 'obama.jpg');
  const results = await mailedLink(server.outbox, GUEST, `/event/${event.slug}#results=`, UNTIL_TOLD);
  const end = await mailedLink(server.outbox, GUEST, `/event/${event.slug}#unsubscribe=`);
  await page.goto('about:blank');
  await page.goto(results);
  await expect(page.getByText(`3 from ${event.name}`)).toBeVisible();

  await page.goto('about:blank');
  await page.goto(end);
  await examine(page, 'the page that ends');
  await page.getByRole('button', { name: 'Stop these mails' }).click();
  await expect(page.getByRole('link', { name: 'Go to the event' })).toBeVisible();
});

test('a guest without a match is offered it too [TELL025]', async ({ page, server, photographer }) => {
  const event = await createEvent(server, page.request, photographer, 'Somebody else', ['biden.jpg']);
  await openEvent(page, event);
  await chooseSelfie(page);
  await expect(page.getByText('No matching photos found.').first()).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Tell me about new photos' }).click();
  await expect(page.getByRole('form', { name: 'Tell me about new photos' })).toBeVisible();
  await examine(page, 'no match, with the form');
});
