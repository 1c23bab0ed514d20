import { readFileSync } from 'node:fs';
import { type Locator, type Page } from '@playwright/test';
import { createEvent, type Event, type Photographer, signUp } from './accounts';
import { examine } from './axe';
import { expect, test as base } from './fixtures';
import { chooseSelfie, hasScrolledToResults, openEvent } from './guests';
import { picture } from './pictures';
import { sideBySide } from './selfies';
import { entriesOf } from './zips';

interface Party {
  event: Event;
  photographer: Photographer;
}

/** An event with two photos of one person, one of another, and one of both. */
const test = base.extend<object, { party: Party }>({
  party: [
    async ({ server, browser, playwright }, use) => {
      const request = await playwright.request.newContext();
      const photographer = await signUp(server, request, 'people@example.com');
      const together = { name: 'together.jpg', bytes: await sideBySide(browser, ['obama3.jpg', 'biden.jpg']) };
      const event = await createEvent(server, request, photographer, 'Asha & Ravi', [
        'obama2.jpg',
        'obama3.jpg',
        'biden.jpg',
        together,
      ]);
      await use({ event, photographer });
      await request.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });

const photos = (page: Page): Locator => page.locator('[data-photo]');

async function findMine(page: Page, event: Event): Promise<void> {
  await openEvent(page, event);
  await chooseSelfie(page);
  await expect(page.getByText(`3 from ${event.name}`)).toBeVisible({ timeout: 60_000 });
  await hasScrolledToResults(page);
}

test('a photo of somebody else is taken out, which can be undone, and the photographer is told how often', async ({
  page,
  party: { event, photographer },
  request,
}) => {
  await findMine(page, event);
  const viewer = page.getByRole('dialog', { name: 'Your Matched Photos' });
  const takeOut = async () => {
    await viewer.getByRole('button', { name: 'More for photo 1' }).click();
    await viewer.getByRole('button', { name: "That's not me" }).click();
    await expect(viewer.getByRole('status').filter({ hasText: 'The photo is no longer shown.' })).toBeVisible();
  };
  const first = (await photos(page).first().getAttribute('data-photo')) ?? '';
  expect(first).not.toBe('');
  await photos(page).first().getByRole('button', { name: 'Photo 1 of 3' }).click();
  await takeOut();
  await expect(viewer.getByText('1 of 2', { exact: true })).toBeVisible();
  await viewer.getByRole('button', { name: 'Undo' }).click();
  await expect(photos(page)).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect(photos(page).first()).toHaveAttribute('data-photo', first);

  await photos(page).first().getByRole('button', { name: 'Photo 1 of 3' }).click();
  await viewer.getByRole('button', { name: 'More for photo 1' }).click();
  const told = page.waitForResponse((response) => response.url().endsWith('/api/face/not-me'));
  await page.getByRole('button', { name: "That's not me" }).click();
  await page.keyboard.press('Escape');
  // A message under the pointer stays.
  await page.mouse.move(0, 0);
  await expect(page.getByText(`2 from ${event.name}`)).toBeVisible();
  expect((await told).status()).toBe(204);
  await page.reload();
  await expect(page.getByText(`2 from ${event.name}`)).toBeVisible();
  await page.getByRole('button', { name: 'Search Again' }).click();
  await expect(page.getByText('2 matches found.')).toBeVisible({ timeout: 60_000 });
  await expect(page.locator(`[data-photo="${first}"]`)).toHaveCount(0);

  const headers = { Authorization: `Bearer ${photographer.token}` };
  const list = (await (await request.get('/api/photos/search', { headers })).json()) as {
    photos: { id: string; not_me_reports: number }[];
  };
  expect(list.photos.find(({ id }) => id === first)?.not_me_reports).toBe(1);
});

test('a heart stays on the device and is counted for the photographer [WISH003]', async ({
  page,
  request,
  party: { event, photographer },
}) => {
  await findMine(page, event);
  const photo = await photos(page).nth(1).getAttribute('data-photo');
  const counted = page.waitForResponse((response) => response.url().includes('/api/face/hearts/'));
  await photos(page).nth(1).getByRole('button', { name: /^Photo 2 of/ }).click();
  await page.getByRole('button', { name: 'Add photo 2 to your favourites' }).click();
  expect((await counted).status()).toBe(204);
  await page.reload();
  await expect(photos(page).nth(1).getByRole('img', { name: 'Favourite' })).toBeVisible();
  await page.getByRole('button', { name: 'Favourites (1)' }).click();
  await expect(photos(page)).toHaveCount(1);
  await expect(photos(page)).toHaveAttribute('data-photo', photo ?? '');

  const headers = { Authorization: `Bearer ${photographer.token}` };
  const list = (await (await request.get('/api/photos/search', { headers })).json()) as {
    photos: { id: string; hearts: number }[];
  };
  expect(list.photos.find(({ id }) => id === photo)?.hearts).toBe(1);
});

test('two people see the photos of both, and save exactly those', async ({
  page,
  party: { event },
}) => {
  await findMine(page, event);
  await page.getByRole('button', { name: 'Add a friend' }).click();
  await expect(page.getByRole('heading', { name: 'Add a friend' })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();

  await page.getByRole('button', { name: 'Add a friend' }).click();
  await chooseSelfie(page, picture('biden.jpg'));
  const both = page.getByRole('button', { name: 'Both together (1)' });
  await expect(both).toHaveAttribute('aria-pressed', 'true', { timeout: 60_000 });
  await expect(photos(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Either of us (4)' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Me (3)' })).toBeVisible();

  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download All Photos \(1\)/ }).click();
  expect(entriesOf(readFileSync(await (await waiting).path()))).toEqual(['photo-1.jpg']);

  await page.getByRole('button', { name: 'My friend (2)' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'My friend (2)' })).toHaveAttribute('aria-pressed', 'true');
  await expect(photos(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove my friend' }).click();
  await expect(photos(page)).toHaveCount(3);
});

test('a photo is shared without strangers: nobody finds the other one in what is saved, and the guest is found [FACE549] [FACE545]', async ({
  page,
  party: { event },
  server,
  request,
}) => {
  await findMine(page, event);
  // The one of both is found by the names of the files, which the viewer shows.
  await photos(page).first().getByRole('button', { name: 'Photo 1 of 3' }).click();
  const viewer = page.getByRole('dialog', { name: 'Your Matched Photos' });
  let position = 1;
  for (; position < 3 && !(await viewer.getByText('together', { exact: true }).isVisible()); position += 1) {
    await page.keyboard.press('ArrowRight');
    await expect(viewer.getByText(`${position + 1} of 3`, { exact: true })).toBeVisible();
  }
  await expect(viewer.getByText('together', { exact: true })).toBeVisible();

  await viewer.getByRole('button', { name: `More for photo ${position}` }).click();
  await viewer.getByRole('button', { name: "Share without strangers" }).click({ timeout: 15_000 });
  const sheet = page.getByRole('dialog', { name: 'Share without strangers' });
  await expect(sheet.getByText('1 other face is softened.')).toBeVisible({ timeout: 60_000 });
  await expect(sheet.getByText(/^A face that was not found stays as it is\./)).toBeVisible();
  await expect(sheet.getByRole('img', { name: 'The photo as it is shared' })).toBeVisible();
  await examine(page, 'a photo without strangers');
  await page.setViewportSize({ width: 360, height: 740 });

  const waiting = page.waitForEvent('download');
  await sheet.getByRole('button', { name: 'Save' }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toMatch(/-without-strangers\.jpg$/);
  const bytes = readFileSync(await download.path());
  expect(bytes.includes('Exif')).toBe(false);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(viewer.getByText('together', { exact: true })).toBeVisible();

  // The product itself looks for both in what was saved.
  const photographer = await signUp(server, request, 'without@example.com');
  const saved = { name: 'saved.jpg', bytes };
  const elsewhere = await createEvent(server, request, photographer, 'Elsewhere', [saved]);
  for (const [selfie, count] of [
    ['obama.jpg', 1],
    ['biden.jpg', 0],
  ] as const) {
    const answer = await request.post(`${server.url}/api/face/search/${elsewhere.slug}`, {
      multipart: {
        image: { name: selfie, mimeType: 'image/jpeg', buffer: readFileSync(picture(selfie)) },
        strictness: 'loose',
      },
    });
    const { matches } = (await answer.json()) as { matches: unknown[] };
    expect(matches, selfie).toHaveLength(count);
  }
});
