import { readFileSync } from 'node:fs';
import { type Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, signUp } from './accounts';
import { examine } from './axe';
import { expect, test } from './fixtures';
import { chooseSelfie, openEvent } from './guests';
import { picture } from './pictures';
import { type Server } from './server';

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'holding@example.com');
  event = await createEvent(server, request, photographer, 'Meera & Kabir', ['biden.jpg']);
  await request.dispose();
});

/** Uploads photos, and waits until they are searchable. */
async function upload(page: Page, { url }: Server, names: readonly string[]): Promise<void> {
  const headers = { Authorization: `Bearer ${photographer.token}` };
  for (const name of names) {
    const photos = { name, mimeType: 'image/jpeg', buffer: readFileSync(picture(name)) };
    const answer = await page.request.post(`${url}/api/photos/upload`, {
      headers,
      multipart: { photos, event_id: event.id },
    });
    expect(answer.status()).toBe(201);
  }
  const waiting = async () => {
    const answer = await page.request.get(`${url}/api/events/search?ids=${event.id}`, { headers });
    const { events } = (await answer.json()) as { events: { indexing: { waiting: number } }[] };
    return events[0]?.indexing.waiting;
  };
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
}

/** A guest who looks for the photos of the first person. */
async function search(page: Page): Promise<void> {
  await openEvent(page, event);
  await chooseSelfie(page);
}

const nothingFound = (page: Page) => expect(page.getByRole('alert')).toBeVisible({ timeout: 60_000 });

const chip = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('photos that are held are found by no guest until they are published, and then the event is complete', async ({
  page,
  browser,
  server,
}) => {
  const guests = await browser.newContext({ baseURL: server.url });
  const guest = await guests.newPage();
  await logIn(page, photographer, event);
  await page.goto(`/admin/gallery?event=${event.id}`);
  await chip(page, 'Guests: own photos').click();
  const popover = page.getByRole('dialog', { name: 'What guests see' });
  await popover.getByRole('radio', { name: /Held until published/ }).click();
  await popover.getByRole('button', { name: 'Save' }).click();
  await expect(popover).toBeHidden();
  await expect(chip(page, 'Guests: photos held')).toBeFocused();
  await chip(page, 'Guests: photos held').click();
  await expect(popover.getByRole('radio', { name: /Held until published/ })).toBeChecked();
  await popover.getByLabel('More photos are coming until').fill('2031-12-12');
  await page.keyboard.press('Tab');
  await examine(page, 'what guests see');
  await page.keyboard.press('Escape');
  await expect(chip(page, 'Guests: photos held')).toBeVisible();

  await upload(page, server, ['obama2.jpg', 'obama3.jpg']);
  await search(guest);
  await nothingFound(guest);
  await expect(guest.getByText('More photos are coming until 12 Dec 2031.')).toBeVisible();

  await page.reload();
  await expect(page.getByText('2 photos are held. Guests do not see them yet.')).toBeVisible();
  await expect(page.getByText('Held', { exact: true })).toHaveCount(2);
  await examine(page, 'the photos of which some are held');
  await page.getByRole('button', { name: 'Publish 2 photos' }).click();
  await expect(page.getByText('2 photos are published.')).toBeVisible();
  await expect(page.getByText('Held', { exact: true })).toHaveCount(0);
  await search(guest);
  await expect(guest.getByText(`2 from ${event.name}`)).toBeVisible({ timeout: 60_000 });

  await chip(page, 'Guests: photos held').click();
  await popover.getByRole('radio', { name: /Complete/ }).click();
  await popover.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Are the photos complete?' });
  await examine(page, 'the question whether the photos are complete');
  await dialog.getByRole('button', { name: 'They are complete' }).click();
  await expect(dialog).toBeHidden();
  await expect(popover).toBeHidden();
  await expect(chip(page, 'Guests: complete')).toBeVisible();
  await guests.close();
  // Another guest: the first one's results are there again.
  const others = await browser.newContext({ baseURL: server.url });
  const other = await others.newPage();
  await openEvent(other, event);
  await expect(other.getByText('The photos are complete. No more are coming.')).toBeVisible();
  await others.close();
});
