import { type Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, post, signUp } from './accounts';
import { expect, test } from './fixtures';
import { emptyPicture } from './pictures';

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'workspace@example.com');
  const pictures = [1, 2, 3, 4, 5].map((seed) => ({ name: `DSC_${seed}.png`, bytes: emptyPicture(seed, 320) }));
  event = await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', pictures);
  const headers = { Authorization: `Bearer ${photographer.token}` };
  for (const name of ['Ceremony', 'Reception', 'Family', 'Dance'])
    await post(request, `${server.url}/api/events/${event.id}/albums`, { name }, headers);
  await request.dispose();
});

test.beforeEach(async ({ page }) => logIn(page, photographer, event));

/** What the Tab key stops at between the bar of the app and the first photo. */
async function stopsBeforePhotos(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const photos = document.querySelector('[data-photo]');
    const bar = document.querySelector('header');
    const all = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')];
    const groups = new Set<string>();
    return all
      .filter((each) => {
        if (each.tabIndex < 0 || each.offsetParent === null || each.closest('[inert]') !== null) return false;
        if (bar?.contains(each) === true || photos === null) return false;
        if ((each.compareDocumentPosition(photos) & Node.DOCUMENT_POSITION_FOLLOWING) === 0) return false;
        if (!(each instanceof HTMLInputElement) || each.type !== 'radio') return true;
        // A group of radio buttons is one stop.
        if (groups.has(each.name)) return false;
        groups.add(each.name);
        return true;
      })
      .map((each) => each.getAttribute('aria-label') ?? each.textContent);
  });
}

const firstPhoto = async (page: Page) => (await page.locator('[data-photo]').first().boundingBox())?.y ?? Infinity;

test('photos come first: at 1280 px the first one begins within 270 px, with few controls before it', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto(`/admin/gallery?event=${event.id}`);
  await page.locator('[data-photo]').first().waitFor();
  expect(await firstPhoto(page)).toBeLessThanOrEqual(270);
  const stops = await stopsBeforePhotos(page);
  // What guests see, the link, Upload Photos, six tabs, the albums as one, and six tools; and the link to the content.
  expect(stops.length, stops.join(' | ')).toBeLessThanOrEqual(16);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('the first photo begins within 300 px, and Upload Photos is at the foot', async ({ page }) => {
    await page.goto(`/admin/gallery?event=${event.id}`);
    await page.locator('[data-photo]').first().waitFor();
    expect(await firstPhoto(page)).toBeLessThanOrEqual(300);
    const upload = await page.getByRole('link', { name: 'Upload Photos' }).boundingBox();
    expect(upload?.y ?? 0).toBeGreaterThan(740);
    // A phone's window widens with what it shows: the width that it has is not compared with itself.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});

test('what is selected takes the place of the header, and the photos stay where they are', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto(`/admin/gallery?event=${event.id}`);
  await page.locator('[data-photo]').first().waitFor();
  const before = await firstPhoto(page);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Selection' })).toBeInViewport();
  await expect(page.getByRole('link', { name: 'Statistics' })).toBeHidden();
  expect(Math.abs((await firstPhoto(page)) - before)).toBeLessThanOrEqual(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Statistics' })).toBeVisible();
});

test('a card of an event has six stops of the Tab key, and leads to the photos', async ({ page }) => {
  await page.goto('/admin/events');
  const card = page.getByRole('article', { name: event.name });
  await expect(card).toBeVisible();
  const stops = await card
    .locator('a[href], button, input')
    .evaluateAll((all) => all.filter((each) => (each as HTMLElement).tabIndex >= 0).length);
  expect(stops).toBeLessThanOrEqual(6);
  // The picture leads there too.
  await card.click({ position: { x: 40, y: 40 } });
  await expect(page).toHaveURL(new RegExp(`/admin/gallery\\?event=${event.id}`));
});

test('a setting is saved by itself, shows in the header, and is taken back', async ({ page }) => {
  await page.goto(`/admin/settings?event=${event.id}#guests`);
  const control = page.getByRole('switch', { name: 'Guests may browse all photos' });
  await control.click();
  await expect(page.getByRole('button', { name: 'Guests: all photos' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Guests: own photos' })).toBeVisible();
  await page.reload();
  await expect(control).not.toBeChecked();
});

test('addresses of earlier versions lead to where things are now', async ({ page }) => {
  await page.goto(`/admin/team?event=${event.id}`);
  await expect(page).toHaveURL(/\/admin\/settings\?event=.+#team$/);
  await expect(page.getByRole('heading', { name: 'Who works on this event' })).toBeVisible();
  await page.goto(`/admin/gallery?event=${event.id}&show=requests`);
  await expect(page).toHaveURL(/\/admin\/guests\?event=/);
  await page.goto('/admin/statistics');
  await expect(page).toHaveURL(new RegExp(`/admin/statistics\\?event=${event.id}`));
});
