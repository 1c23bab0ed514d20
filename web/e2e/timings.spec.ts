import { type Route } from '@playwright/test';
import { expect } from './fixtures';
import { chooseSelfie, findPhotos, openEvent } from './guests';
import { emptyPicture } from './pictures';
import {
  bell,
  choosePhoto,
  endDeletion,
  goneAfterIsSeen,
  heard,
  never,
  neverDownloaded,
  neverUploaded,
  openAdmin,
  openUploads,
  type TimingContext,
  seen,
  startDeletion,
  test,
} from './timing-context';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const MEGABYTE = 1_048_576;

/** A time of section 9: from a moment in the page to what happens by itself then. */
interface Timing {
  /** Milliseconds. */
  readonly after: number;
  /** Brings the page to the moment from which the time counts; gives what will have happened. */
  readonly begin: (timing: TimingContext) => Promise<() => boolean | Promise<boolean>>;
}

/** How far from its time something may happen: the steps in which time passes, and what the machine does between. */
const GRACE = 100;
const FINE_GRACE = 40;

/** Every timing of section 9 of the specification, in its order. */
const TIMINGS: Record<string, Timing> = {
  'an upload times out after 5 minutes': {
    after: 5 * MINUTE,
    begin: (timing) => neverUploaded(timing, emptyPicture(0, 64)),
  },
  'an upload of 6 MB times out after 6 minutes': {
    after: 6 * MINUTE,
    begin: (timing) => neverUploaded(timing, Buffer.alloc(6 * MEGABYTE)),
  },
  'an upload that nobody answered is looked for after 2 s': {
    after: 2 * SECOND,
    begin: async ({ page, clock, photographer, event }) => {
      let lookedFor = false;
      await page.route('**/api/photos/upload', (route) => route.abort('connectionreset'));
      await page.route('**/api/photos/search?*filename=*', (route) => {
        lookedFor = true;
        return route.continue();
      });
      await openUploads(page, photographer, event);
      await clock.stop();
      let failed = false;
      page.on('requestfailed', (request) => (failed ||= request.url().endsWith('/api/photos/upload')));
      await choosePhoto(page);
      await clock.until(() => failed);
      return () => lookedFor;
    },
  },
  'the banner of a batch without failures goes after 5 s': {
    after: 5 * SECOND,
    begin: async ({ page, clock, photographer, event }) => {
      await openUploads(page, photographer, event);
      await clock.stop();
      await choosePhoto(page);
      return goneAfterIsSeen(clock, page.getByText('All photos are uploaded.'));
    },
  },
  'a call times out after 300000 ms': {
    after: 300_000,
    begin: async ({ page, clock }) => {
      await page.route('**/api/auth/login', never);
      await page.goto('/login');
      await page.getByLabel('Email').fill('mira@example.com');
      await page.getByLabel('Password', { exact: true }).fill('correct horse');
      await clock.stop();
      const sent = page.waitForRequest('**/api/auth/login');
      await page.getByRole('main').getByRole('button', { name: 'Login' }).click();
      await sent;
      return seen(page.getByText('Login failed'));
    },
  },
  'a face search times out after 60 s': {
    after: 60 * SECOND,
    begin: async ({ page, clock, event }) => {
      await page.route('**/api/face/search/**', never);
      await openEvent(page, event);
      await clock.stop();
      const asked = heard(page, '/api/face/search/');
      await chooseSelfie(page);
      await clock.until(() => asked.count > 0);
      return seen(page.getByText('the search took longer than 60 seconds').first());
    },
  },
  'a download link times out after 10 s': {
    after: 10 * SECOND,
    begin: async (timing) => neverDownloaded(timing, '/api/photos/download-by-s3'),
  },
  "a photo's bytes time out after 30 s": {
    after: 30 * SECOND,
    begin: async (timing) => neverDownloaded(timing, '/shared'),
  },
  'between two photos of a run are 500 ms': {
    after: 500,
    begin: async ({ page, clock, event }) => {
      await findPhotos(page, event);
      const links = heard(page, '/api/photos/download-by-s3');
      let saved = 0;
      page.on('download', () => (saved += 1));
      await clock.stop();
      await page.getByRole('button', { name: 'Download All Photos (2)' }).click();
      await clock.until(() => saved === 1);
      return () => links.count === 2;
    },
  },
  'a success stays in the bell for 8 s': {
    after: 8 * SECOND,
    begin: async (timing) => {
      await endDeletion(timing, 'completed');
      return seen(bell(timing.page, 0));
    },
  },
  'an error stays in the bell for 12 s': {
    after: 12 * SECOND,
    begin: async (timing) => {
      await endDeletion(timing, 'failed');
      return seen(bell(timing.page, 0));
    },
  },
  'an upload stays in the bell for 6 s': {
    after: 6 * SECOND,
    begin: async ({ page, clock, photographer, event }) => {
      await openUploads(page, photographer, event);
      await clock.stop();
      await choosePhoto(page);
      await clock.until(seen(bell(page, 1)));
      return seen(bell(page, 0));
    },
  },
  'a deletion that is over stays in the bell for 5 s': {
    after: 5 * SECOND,
    begin: async (timing) => {
      await endDeletion(timing, 'completed');
      return seen(bell(timing.page, 1));
    },
  },
  'a deletion that is over goes 100 ms after a click on it': {
    after: 100,
    begin: async (timing) => {
      const { page, clock } = timing;
      await endDeletion(timing, 'completed');
      await bell(page, 2).click();
      const list = page.getByRole('dialog', { name: 'Notifications' });
      // The deletion itself; 'Event Deleted' tells of its success.
      const ended = list.getByRole('button', { name: /^(Unread )?Deletion Finished/ });
      await clock.until(() => ended.isVisible());
      await ended.click();
      return async () => (await ended.count()) === 0;
    },
  },
  'a message at the foot of the page goes after 6 s': {
    after: 6 * SECOND,
    begin: async ({ page, clock, event }) => {
      await findPhotos(page, event);
      await clock.stop();
      await page.getByRole('button', { name: 'Download photo 1', exact: true }).click();
      return goneAfterIsSeen(clock, page.getByText('Photo downloaded successfully!'));
    },
  },
  "the overview's notice goes after 6 s": {
    after: 6 * SECOND,
    begin: async ({ page, clock, photographer }) => {
      await openAdmin(page, '/admin/overview', photographer);
      await clock.stop();
      // The clock stands now, and what is opened from here on fails at a moment that is known.
      await page.route('**/api/events/**', (route) => route.fulfill({ status: 500, json: {} }));
      await page.reload();
      const texts = page.getByText('Failed to load dashboard data');
      await clock.until(async () => (await texts.count()) === 2);
      return async () => (await texts.count()) === 1;
    },
  },
  'the answer of the contact form goes after 6 s': {
    after: 6 * SECOND,
    begin: async ({ page, clock }) => {
      await page.goto('/contact');
      for (const [field, text] of Object.entries({
        Name: 'Asha',
        Email: 'asha@example.com',
        Subject: 'Photos',
        Message: 'Where are they?',
      })) {
        await page.getByRole('textbox', { name: field }).fill(text);
      }
      await clock.stop();
      await page.getByRole('button', { name: /Send/ }).click();
      return goneAfterIsSeen(clock, page.getByRole('status').getByText(/thank/i));
    },
  },
  'what was copied is said for 2 s': {
    after: 2 * SECOND,
    begin: async ({ page, clock, photographer, event }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await openAdmin(page, '/admin/events', photographer);
      const card = page.getByRole('article', { name: event.name });
      // What is loading when the clock stops is never shown.
      await card.waitFor();
      await clock.stop();
      await card.getByRole('button', { name: 'Copy event URL' }).click();
      return goneAfterIsSeen(clock, card.getByText('URL copied to clipboard!'));
    },
  },
  'what the account saved is said for 3 s': {
    after: 3 * SECOND,
    begin: async ({ page, clock, photographer }) => {
      await openAdmin(page, '/admin/account', photographer);
      await page.getByRole('button', { name: 'Change Name' }).click();
      await page.getByLabel('New name').fill('Mira Sen');
      await clock.stop();
      await page.getByRole('button', { name: 'Update Name' }).click();
      return goneAfterIsSeen(clock, page.getByText('Name updated successfully!'));
    },
  },
  'an address that is verified already leads to the login after 3 s': {
    after: 3 * SECOND,
    begin: async ({ page, clock }) => {
      await page.route('**/api/auth/check-verification-status*', (route) =>
        route.fulfill({ json: { already_verified: true } }),
      );
      // The text comes with the page: its clock stands before.
      await page.goto('/login');
      await clock.stop();
      await page.goto('/verify-email?token=used');
      await clock.until(seen(page.getByText('Your email is already verified! You can now log in.')));
      return () => new URL(page.url()).pathname === '/login';
    },
  },
  'results scroll into view after 500 ms': {
    after: 500,
    begin: async ({ page, clock, event }) => {
      let scrolled = false;
      await page.exposeFunction('scrolled', () => (scrolled = true));
      await page.addInitScript(() => {
        const scroll = Reflect.get(Element.prototype, 'scrollIntoView');
        Element.prototype.scrollIntoView = function (this: Element, options) {
          (window as unknown as { scrolled: () => void }).scrolled();
          scroll.call(this, options);
        };
      });
      await openEvent(page, event);
      await clock.stop();
      await chooseSelfie(page);
      await clock.until(seen(page.getByText('Your Matched Photos').first()));
      return () => scrolled;
    },
  },
};

for (const [name, { after, begin }] of Object.entries(TIMINGS)) {
  test(name, async ({ timing }) => {
    // [CONST009] [CONST010] [CONST011] [CONST014] [CONST015] [CONST016] [CONST017] [CONST018] [CONST023]
    // [CONST025] [CONST026] [CONST027] [CONST028] [CONST029] [CONST030] [CONST031] [CONST032]
    const { clock } = timing;
    const grace = after < 500 ? FINE_GRACE : GRACE;
    const isOver = await begin(timing);
    const start = await clock.now();
    expect(await isOver(), 'not at once').toBe(false);
    await clock.pass(after - grace);
    expect(await isOver(), `not ${after - grace} ms later`).toBe(false);
    const took = (await clock.until(isOver)) - start;
    expect(took, 'milliseconds').toBeLessThan(after + grace);
  });
}

test('a deletion is asked for after 2 s, then every 5 s, 60 times at most [CONST019]', async ({ timing }) => {
  const { page, clock } = timing;
  const asked: number[] = [];
  await page.route('**/api/events/task/**', async (route) => {
    asked.push(await clock.now());
    await route.fulfill({ json: { status: 'in_progress', message: 'It goes on.' } });
  });
  await startDeletion(timing);
  const start = await clock.now();
  await clock.pass(2 * SECOND - GRACE);
  expect(asked).toEqual([]);
  await clock.until(() => asked.length === 1);
  for (let further = 1; further <= 60; further += 1) {
    await clock.pass(5 * SECOND - GRACE);
    expect(asked).toHaveLength(further);
    await clock.until(() => asked.length === further + 1);
  }
  const times = asked.map((time, index) => time - (asked[index - 1] ?? start));
  expect(times[0]).toBeLessThan(2 * SECOND + GRACE);
  for (const time of times.slice(1)) expect(Math.abs(time - 5 * SECOND)).toBeLessThan(GRACE);

  await clock.until(seen(bell(page, 2)));
  await bell(page, 2).click();
  await clock.until(seen(page.getByText('Deletion Timeout').first()));
  await clock.pass(MINUTE);
  expect(asked).toHaveLength(61);
});

test('what is older than an hour leaves the bell, looked for every 30 min [CONST024]', async ({ timing }) => {
  test.slow();
  const { page, clock } = timing;
  // A server that takes its time with every answer: nothing else keeps a notification for so long.
  const waiting: Route[] = [];
  await page.route('**/api/events/task/**', (route) => void waiting.push(route));
  const opened = await clock.now();
  await startDeletion(timing);
  const goOnUntil = async (time: number) => {
    for (let now = await clock.now(); now < time; now = await clock.now()) {
      for (const route of waiting.splice(0)) {
        await route.fulfill({ json: { status: 'in_progress', message: 'It goes on.' } });
      }
      await clock.pass(Math.min(100 * SECOND, time - now));
    }
  };
  // It is younger than the page, so the look after an hour leaves it.
  await goOnUntil(opened + 89 * MINUTE);
  expect(await bell(page, 1).isVisible()).toBe(true);
  await goOnUntil(opened + 91 * MINUTE);
  await expect(bell(page, 0)).toBeVisible();
});

