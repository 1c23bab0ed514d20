import { readFileSync } from 'node:fs';
import { type Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, signUp } from './accounts';
import { examine } from './axe';
import { groupedPeople } from './event-people';
import { expect, test as base } from './fixtures';
import { sideBySide } from './selfies';
import { entriesOf } from './zips';

/** An event with four photos of one person, and two of another. */
const test = base.extend<object, { photographer: Photographer; event: Event }>({
  photographer: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext();
      await use(await signUp(server, request, 'clusters@example.com'));
      await request.dispose();
    },
    { scope: 'worker' },
  ],
  event: [
    async ({ server, browser, photographer, playwright }, use) => {
      const request = await playwright.request.newContext();
      const together = { name: 'together.jpg', bytes: await sideBySide(browser, ['obama3.jpg', 'biden.jpg']) };
      const names = ['obama.jpg', 'obama2.jpg', 'obama3.jpg', 'biden.jpg', together];
      const event = await createEvent(server, request, photographer, 'Asha & Ravi', names);
      await groupedPeople(server, request, photographer, event);
      await use(event);
      await request.dispose();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

const person = (page: Page, place: number, photos: string) =>
  page.getByRole('link', { name: `Person ${place}, ${photos}`, exact: true });
const tile = (page: Page, name: string) => page.getByRole('button', { name: `Open ${name}` });

test('a photographer sees who is in the photos, corrects it, and downloads them', async ({
  page,
  photographer,
  event,
}) => {
  await logIn(page, photographer, event);
  await page.goto(`/admin/gallery?event=${event.id}`);
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await expect(page.getByText('2 people', { exact: true })).toBeVisible();
  const face = person(page, 1, '4 photos').locator('img');
  await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(40);
  await examine(page, 'the people of an event');

  await person(page, 1, '4 photos').click();
  await expect(tile(page, 'together.jpg')).toBeVisible();
  await expect(tile(page, 'biden.jpg')).toHaveCount(0);
  await examine(page, 'a person');
  await page.getByRole('button', { name: 'Split' }).click();
  await page.getByRole('checkbox', { name: 'Select obama2.jpg' }).check();
  await examine(page, 'a person, with a photo selected');
  await page.getByRole('button', { name: 'Split off' }).click();
  await expect(tile(page, 'obama2.jpg')).toHaveCount(0);
  await page.getByRole('link', { name: 'All people' }).click();
  await expect(page.getByText('3 people', { exact: true })).toBeVisible();

  // By the keyboard alone, and without the message, which is no part of the page to axe.
  await page.reload();
  await page.getByRole('button', { name: 'Select' }).focus();
  await page.keyboard.press('Enter');
  for (const name of ['Select person 1, 3 photos', 'Select person 3, 1 photo']) {
    await page.getByRole('checkbox', { name }).focus();
    await page.keyboard.press('Space');
    await expect(page.getByRole('checkbox', { name })).toBeChecked();
  }
  await examine(page, 'people who are selected');
  await page.getByRole('button', { name: 'Merge' }).focus();
  await page.keyboard.press('Enter');
  await expect(person(page, 1, '4 photos')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Select' })).toBeFocused();

  await person(page, 2, '2 photos').click();
  await expect(tile(page, 'biden.jpg')).toBeVisible();
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByText('1 person', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Hidden (1)' }).click();
  await person(page, 1, '2 photos').click();
  await page.getByRole('button', { name: 'Show again' }).click();
  await expect(page.getByText('Nobody is hidden.')).toBeVisible();

  await page.goto(`/admin/people?event=${event.id}`);
  await person(page, 1, '4 photos').click();
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download photos' }).click();
  const entries = entriesOf(readFileSync(await (await waiting).path()));
  expect(entries.toSorted()).toEqual(['photo-1.jpg', 'photo-2.jpg', 'photo-3.jpg', 'photo-4.jpg']);
});

test('people are switched off for an event, and on again', async ({ page, photographer, event }) => {
  await logIn(page, photographer, event);
  await page.goto(`/admin/settings?event=${event.id}#keeping`);
  const control = page.getByRole('switch', { name: 'Put faces that are alike together' });
  await expect(control).toBeChecked();
  await control.click();
  const dialog = page.getByRole('dialog', { name: 'Switch people off for this event?' });
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await expect(control).not.toBeChecked();
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'People are switched off' })).toBeVisible();
  // Without the message, which is no part of the page to axe.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'People are switched off' })).toBeVisible();
  await examine(page, 'people who are switched off');
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await control.click();
  await expect(control).toBeChecked();
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await expect(page.getByText(/faces are not put together yet/)).toBeVisible();
});
