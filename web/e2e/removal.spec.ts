import { readFileSync } from 'node:fs';
import { type Browser, type Locator, type Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, signUp } from './accounts';
import { examine } from './axe';
import { expect, test as base } from './fixtures';
import { chooseSelfie, findPhotos, openEvent } from './guests';
import { picture } from './pictures';
import { type Server } from './server';
import { addTurningCamera, showInCamera } from './turningCamera';

const PHOTOS = ['obama2.jpg', 'obama3.jpg', 'biden.jpg'];
const NONE = 'No matching photos found.';
const SEARCH_LIMIT = 60_000;

/** Each test has its own: the bell counts what all of a photographer's guests have asked for. */
const test = base.extend<{ photographer: Photographer }>({
  photographer: async ({ server, playwright }, use, { testId }) => {
    const request = await playwright.request.newContext();
    await use(await signUp(server, request, `removal-${testId}@example.com`));
    await request.dispose();
  },
});

/** Another person's browser, of the same kind. */
async function inAnotherBrowser(browser: Browser, server: Server, act: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } });
  try {
    await act(await context.newPage());
  } finally {
    await context.close();
  }
}

/** How many photos another guest finds with a selfie of this person. */
const expectFound = (
  browser: Browser,
  server: Server,
  event: Event,
  count: number,
  selfie = 'obama.jpg',
  timeout = SEARCH_LIMIT,
) =>
  inAnotherBrowser(browser, server, async (page) => {
    await openEvent(page, event);
    await chooseSelfie(page, picture(selfie));
    const found = count === 0 ? NONE : `${count} from ${event.name}`;
    await expect(page.getByText(found).first()).toBeVisible({ timeout });
  });

/** Tab goes round inside the dialog, and never to what is behind it. */
async function expectFocusIsKept(page: Page): Promise<void> {
  for (let presses = 0; presses < 15; presses += 1) {
    await page.keyboard.press('Tab');
    const outside = await page.evaluate(
      () => document.activeElement !== document.body && document.activeElement?.closest('dialog') === null,
    );
    expect(outside).toBe(false);
  }
}

/**
 * Opens the sheet and gives it a picture, as where there is no camera, or after a search the selfie of that: no live capture.
 * What was found.
 */
async function lookAtWhatIsFound(page: Page, count: number): Promise<Locator> {
  await page.getByRole('button', { name: 'Remove me from the photos' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByRole('heading', { name: 'Remove me from the photos' })).toBeFocused();
  await expectFocusIsKept(page);
  await examine(page, 'what it is');
  const selfie = sheet.getByRole('button', { name: 'Use the selfie of my search' });
  if (await selfie.isVisible()) await selfie.click();
  else await sheet.getByLabel('upload a photo').setInputFiles(picture('obama.jpg'));
  await expect(sheet.getByText(`We found you in ${count} photos:`)).toBeVisible({ timeout: SEARCH_LIMIT });
  await expect(sheet.getByText(/^This photo was not taken here, so the photographer decides first/)).toBeVisible();
  await expect(sheet.getByRole('heading', { name: 'Photos of you' })).toBeFocused();
  await expect(sheet.getByRole('list', { name: 'Photos of you' }).getByRole('img')).toHaveCount(count);
  return sheet;
}

/** Chooses, agrees and confirms with the keyboard alone. */
async function askByKeyboard(page: Page, sheet: Locator, choice: string) {
  await sheet.getByRole('radio', { name: choice }).focus();
  await page.keyboard.press('Space');
  await expect(sheet.getByText(/^You cannot undo this yourself\./)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(sheet.getByRole('checkbox')).toBeFocused();
  await page.keyboard.press('Space');
  await expectFocusIsKept(page);
  await examine(page, `the choice: ${choice}`);
  await sheet.getByRole('button', { name: 'Ask the photographer' }).focus();
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('heading', { name: 'Done' })).toBeFocused();
  await expect(sheet.getByText(/Until then nothing changes: the photos stay, and you are found/)).toBeVisible();
  await examine(page, `done: ${choice}`);
}

/** The photographer's page of an event's requests, by the bell. */
async function openRequests(page: Page, photographer: Photographer): Promise<Locator> {
  await logIn(page, photographer);
  await page.goto('/admin/overview');
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  const bell = page.getByRole('dialog', { name: 'Notifications' });
  const told = bell.getByText(/^1 new request in /);
  await expect(told).toBeVisible();
  await examine(page, 'the bell');
  await told.click();
  await expect(page).toHaveURL(/\/admin\/guests\?event=/);
  await expect(page.getByRole('heading', { name: 'Requests of guests' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await examine(page, 'the requests');
  return page.getByRole('region', { name: 'Requests of guests' });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('photos that a guest asks to hide are found until the photographer hides them, and shows them again [FACE075] [FACE328] [NOTE029] [FACE516]', async ({
    page,
    browser,
    server,
    photographer,
  }) => {
    const event = await createEvent(server, page.request, photographer, 'Asha & Ravi', PHOTOS);
    await findPhotos(page, event);
    const sheet = await lookAtWhatIsFound(page, 2);
    await askByKeyboard(page, sheet, "Hide photos I'm in");
    await sheet.getByRole('button', { name: 'Done' }).click();
    await expectFound(browser, server, event, 2);

    await inAnotherBrowser(browser, server, async (desk) => {
      const requests = await openRequests(desk, photographer);
      const asked = requests.getByRole('article', { name: 'A guest asks to hide 2 photos they are in' });
      await expect(asked.getByText(/^Made with a photo that was not taken with the camera for it/)).toBeVisible();
      await asked.getByRole('button', { name: 'Hide these photos' }).click();
      const request = requests.getByRole('article', { name: 'A guest hid 2 photos they are in' });
      await expect(request.getByRole('button', { name: 'Show all again' })).toBeVisible();
      await expectFound(browser, server, event, 0);
      await expectFound(browser, server, event, 1, 'biden.jpg');
      await request.getByRole('button', { name: 'Show all again' }).click();
      await expect(request.getByRole('button', { name: 'Hide again' })).toBeVisible();
      await desk.goto('/admin/overview');
      await expect(desk.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
    });
    await expectFound(browser, server, event, 2);
  });
});

test.describe('on a phone with a camera', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('with two photos, the second with the head turned, a guest is found no more at once, and saves a receipt [FACE514] [SAFE360]', async ({
    page,
    browser,
    server,
    photographer,
  }) => {
    const event = await createEvent(server, page.request, photographer, 'Nila & Karthik', PHOTOS);
    await addTurningCamera(page);
    await openEvent(page, event);
    await page.getByRole('button', { name: 'Remove me from the photos' }).click();
    const sheet = page.getByRole('dialog');
    const drawn = page.waitForResponse((response) => response.url().endsWith('/challenge'));
    await sheet.getByRole('button', { name: 'Take two photos' }).click();
    const { side } = (await (await drawn).json()) as { side: string };
    await showInCamera(page, 'obama.jpg');
    await expect(page.getByText('Photo 1 of 2: look straight into the camera.')).toBeVisible();
    await examine(page, 'the first photo');
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await expect(page.getByText(`Photo 2 of 2: turn your head a little to your ${side}, then take the photo.`)).toBeVisible();
    // To the person's right, as it is.
    await showInCamera(page, 'obama2.jpg', { flipped: side === 'left', nose: 0.47 });
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await expect(sheet.getByText('We found you in 2 photos:')).toBeVisible({ timeout: SEARCH_LIMIT });
    await sheet.getByRole('radio', { name: 'Stop finding me' }).check();
    await sheet.getByRole('checkbox').check();
    await sheet.getByRole('button', { name: 'Stop finding me' }).click();
    await expect(sheet.getByText('Nobody finds you by your face any more.')).toBeVisible();
    await examine(page, 'what it means');
    const saved = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'Save receipt' }).click();
    const receipt = JSON.parse(readFileSync(await (await saved).path(), 'utf8')) as { receipt: { subject: string } };
    expect(receipt.receipt.subject).toBe('person');
    await expectFound(browser, server, event, 0);
    await expectFound(browser, server, event, 1, 'biden.jpg');
  });
});

test.describe('on a desk', () => {
  test.use({ viewport: { width: 1280, height: 900 } });

  test('a guest is not found any more once the photographer agrees, in later photos neither, until it is undone [FACE432] [FACE329] [FACE516] [FACE517]', async ({
    page,
    browser,
    server,
    photographer,
  }) => {
    const event = await createEvent(server, page.request, photographer, 'Meera & Arjun', PHOTOS);
    await openEvent(page, event);
    const sheet = await lookAtWhatIsFound(page, 2);
    await askByKeyboard(page, sheet, 'Stop finding me');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expectFound(browser, server, event, 2);
    await inAnotherBrowser(browser, server, async (desk) => {
      const requests = await openRequests(desk, photographer);
      await requests.getByRole('button', { name: 'Stop finding this person' }).click();
      await expect(requests.getByRole('button', { name: 'Undo' })).toBeVisible();
    });
    await expectFound(browser, server, event, 0);

    const added = await page.request.post(`${server.url}/api/photos/upload`, {
      headers: { Authorization: `Bearer ${photographer.token}` },
      multipart: {
        photos: { name: 'later.jpg', mimeType: 'image/jpeg', buffer: readFileSync(picture('obama.jpg')) },
        event_id: event.id,
      },
    });
    expect(added.status()).toBe(201);
    const indexed = async () => {
      const answer = await page.request.get(`${server.url}/api/events/${event.slug}`);
      return ((await answer.json()) as { indexing: { indexed: number } }).indexing.indexed;
    };
    await expect.poll(indexed, { timeout: 90_000, message: 'photos indexed' }).toBe(4);
    await expectFound(browser, server, event, 0);
    await expectFound(browser, server, event, 1, 'biden.jpg');

    await inAnotherBrowser(browser, server, async (desk) => {
      await logIn(desk, photographer);
      await desk.goto(`/admin/guests?event=${event.id}`);
      const requests = desk.getByRole('region', { name: 'Requests of guests' });
      await requests.getByRole('button', { name: 'Undo' }).click();
      await expect(requests.getByText(/You have undone this\./)).toBeVisible();
    });
    // The photos stay searchable for others while they are indexed again.
    await expect(() => expectFound(browser, server, event, 3, 'obama.jpg', 5_000)).toPass({ timeout: 90_000 });
  });
});
