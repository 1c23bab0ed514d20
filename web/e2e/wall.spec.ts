import { type APIRequestContext, type Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, signUp } from './accounts';
import { examine } from './axe';
import { expect, test } from './fixtures';
import { emptyPicture } from './pictures';
import { hurry, shownOnWall, wallHasEnded, WallOwner } from './walls';

let request: APIRequestContext;
let photographer: Photographer;
let event: Event;
let owner: WallOwner;

test.beforeAll(async ({ server, playwright }) => {
  request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'wall@example.com');
});

test.beforeEach(async ({ server }) => {
  const pictures = [1, 2, 3].map((seed) => ({ name: `DSC_${seed}.png`, bytes: emptyPicture(seed, 320) }));
  event = await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', pictures);
  owner = new WallOwner(server, request, photographer, event);
});

test.afterAll(() => request.dispose());

const shows = (page: Page, photo: string) =>
  expect.poll(() => page.evaluate(shownOnWall), { timeout: 60_000, message: photo }).toBe(photo);

/** How many different photos a wall shows in so many seconds. */
async function differentIn(page: Page, seconds: number): Promise<number> {
  const seen = new Set<string>();
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until) {
    const shown = await page.evaluate(shownOnWall);
    if (shown !== null) seen.add(shown);
    await page.waitForTimeout(50);
  }
  return seen.size;
}

test('a wall is made under Share, shows an upload, and says when it is ended [GAL459] [GAL474] [GAL477]', async ({
  page,
  context,
}) => {
  await logIn(page, photographer, event);
  await page.goto(`/admin/share?event=${event.id}`);
  const card = page.getByRole('region', { name: 'Live wall' });
  await card.getByRole('button', { name: 'Create live wall' }).click();
  const waiting = context.waitForEvent('page');
  await card.getByRole('link', { name: 'Open', exact: true }).click();
  const wall = await waiting;
  const refused: string[] = [];
  wall.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  await expect(wall.getByText('Find your photos')).toBeVisible();
  await expect(wall.getByText('Aanya & Rohan, Sangeet')).toBeVisible();
  await expect(wall.locator('.code svg')).toBeVisible();
  const photo = await owner.upload();
  await shows(wall, photo);
  await owner.remove(photo);
  await expect.poll(() => wall.evaluate(shownOnWall)).not.toBe(photo);
  await examine(wall, 'the wall');
  // Nothing but the document, the list, photos and the letters of its headings is loaded, and nothing is forbidden.
  expect(refused).toEqual([]);
  const loaded = await wall.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  for (const name of loaded) expect(new URL(name).pathname).toMatch(/^\/(api\/(wall|files)\/|assets\/familjen|favicon\.ico)/);

  await card.getByRole('button', { name: 'End wall' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End wall' }).click();
  await expect(card.getByRole('button', { name: 'Create live wall' })).toBeVisible();
  await expect(wall.getByText('This wall has ended.')).toBeVisible();
  expect(await wall.evaluate(wallHasEnded)).toBe(true);
  await wall.reload();
  await expect(wall.getByText('This wall has ended.')).toBeVisible();
});

/** Takes from a browser what came after 2017. Runs in the page, before its scripts. */
function forgetNewerFeatures(): void {
  const without = (owner: object, ...names: string[]) => {
    for (const name of names) {
      Reflect.deleteProperty(owner, name);
      if (name in owner) throw new Error(`${name} is still there`);
    }
  };
  without(window, 'fetch', 'Promise', 'AbortController', 'URLSearchParams', 'IntersectionObserver', 'ResizeObserver');
  without(window, 'queueMicrotask', 'structuredClone', 'requestIdleCallback', 'globalThis', 'BigInt', 'WeakRef', 'Proxy');
  without(Array.prototype, 'flat', 'flatMap', 'at', 'includes', 'findLast', 'toSorted', 'values', 'find', 'fill');
  without(String.prototype, 'padStart', 'matchAll', 'replaceAll', 'trimEnd', 'at', 'includes', 'startsWith', 'repeat');
  without(Object, 'entries', 'values', 'fromEntries', 'assign');
  without(Element.prototype, 'replaceChildren', 'append', 'prepend', 'remove', 'replaceWith', 'closest', 'toggleAttribute');
  without(Document.prototype, 'append', 'replaceChildren', 'exitFullscreen');
  without(Element.prototype, 'requestFullscreen', 'animate');
  without(HTMLImageElement.prototype, 'decode', 'loading');
  without(Navigator.prototype, 'wakeLock', 'mediaSession', 'share', 'clipboard');
}

test('a wall runs in a browser that has nothing of what came after 2017 [GAL460]', async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const failures: string[] = [];
  // What the test itself runs in the page misses some of it too.
  page.on('pageerror', ({ stack = '' }) => {
    if (stack.includes('/wall/')) failures.push(stack);
  });
  await page.addInitScript(hurry);
  await page.addInitScript(forgetNewerFeatures);
  await page.goto(await owner.make());
  // The test looks from outside, where everything is as it was.
  const front = page.locator('.layer.on[style*="z-index: 1"] img');
  await expect(front).toBeVisible();
  const first = (await front.getAttribute('src')) ?? '';
  await expect(front).not.toHaveAttribute('src', first);
  await page.mouse.move(10, 10);
  await page.mouse.click(10, 10);
  await page.keyboard.press('f');
  await owner.end();
  await expect(page.getByText('This wall has ended.')).toBeVisible();
  expect(failures).toEqual([]);
  await context.close();
});

test('a wall goes on without a network, says so after a while, and resumes [GAL476]', async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(hurry);
  await page.goto(await owner.make());
  await expect.poll(() => differentIn(page, 3)).toBe(3);
  await context.setOffline(true);
  // Five minutes of the wall are 15 seconds here.
  await expect(page.locator('#lost')).toBeVisible({ timeout: 30_000 });
  expect(await differentIn(page, 4)).toBe(3);
  await context.setOffline(false);
  await expect(page.locator('#lost')).toBeHidden();
  await shows(page, await owner.upload());
  await context.close();
});

test('an address has no way to make a wall ask more often [SAFE430]', async ({ page }) => {
  await page.goto(`${await owner.make()}?speed=20&afterglowWallSpeed=20#speed=20`);
  await expect.poll(() => page.evaluate(shownOnWall)).not.toBeNull();
  const asked: string[] = [];
  page.on('request', (one) => {
    if (/\/api\/wall\/[^/]+$/.test(one.url())) asked.push(one.url());
  });
  await page.waitForTimeout(4_000);
  expect(asked.length).toBeLessThan(3);
});

test('a wall fills the screen by a key, hides the pointer, and stands still where motion is unwanted [GAL479]', async ({
  browser,
}) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(await owner.make());
  await expect.poll(() => page.evaluate(shownOnWall)).not.toBeNull();
  expect(await page.locator('.layer').first().evaluate((layer) => getComputedStyle(layer).transitionDuration)).toBe('0s');
  await expect(page.locator('#line')).toBeHidden();
  const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
  await page.keyboard.press('f');
  await expect.poll(isFull).toBe(true);
  await page.keyboard.press('f');
  await expect.poll(isFull).toBe(false);
  await page.mouse.move(30, 30);
  const pointer = () => page.evaluate(() => document.body.style.cursor);
  expect(await pointer()).toBe('');
  await expect.poll(pointer).toBe('none');
  await page.mouse.move(60, 60);
  expect(await pointer()).toBe('');
  await context.close();
});
