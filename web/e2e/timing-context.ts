import { type APIRequestContext, type Locator, type Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, signUp } from './accounts';
import { Clock } from './clock';
import { expect, test as base } from './fixtures';
import { findPhotos } from './guests';
import { emptyPicture } from './pictures';
import { type Server } from './server';

/** What a timing is looked at with: the page, its clock, and a photographer with an event. */
export interface TimingContext {
  readonly page: Page;
  readonly clock: Clock;
  readonly photographer: Photographer;
  readonly event: Event;
}

interface Seeded {
  readonly photographer: Photographer;
  readonly event: Event;
}

/** A page with a fake clock for each test; the photographer and the event are the same for all. */
export const test = base.extend<{ timing: TimingContext }, { seeded: Seeded }>({
  seeded: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext();
      await use(await seed(server, request));
      await request.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  timing: async ({ page, seeded }, use) => {
    const clock = await Clock.take(page);
    await use({ page, clock, ...seeded });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
});

async function seed(server: Server, request: APIRequestContext): Promise<Seeded> {
  const photographer = await signUp(server, request, 'clock@example.com');
  return { photographer, event: await createEvent(server, request, photographer, 'Asha & Ravi', ['obama2.jpg', 'obama3.jpg']) };
}

export const never = () => new Promise<void>(() => undefined);

export const seen = (what: Locator) => () => what.isVisible();

/** The bell with so many notifications that nobody has read. */
export const bell = (page: Page, unread: number): Locator =>
  page.getByRole('button', {
    name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`,
    exact: true,
  });

export async function goneAfterIsSeen(clock: Clock, what: Locator): Promise<() => Promise<boolean>> {
  await clock.until(seen(what.first()));
  return async () => !(await what.first().isVisible());
}

/** Counts the requests to a path. */
export function heard(page: Page, path: string): { readonly count: number } {
  const requests = { count: 0 };
  page.on('request', (request) => {
    if (request.url().includes(path)) requests.count += 1;
  });
  return requests;
}

export async function openAdmin(page: Page, path: string, photographer: Photographer, event?: Event): Promise<void> {
  await logIn(page, photographer, event);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Opens the upload screen, and waits for its chooser: what is loading when a test stops the clock is never shown. */
export async function openUploads(page: Page, photographer: Photographer, event: Event): Promise<void> {
  await openAdmin(page, '/admin/upload', photographer, event);
  await expect(page.getByLabel('Choose photos')).toBeAttached();
}

let lastSeed = 0;

/** Chooses one photo that the event does not have yet. */
export async function choosePhoto(page: Page): Promise<void> {
  lastSeed += 1;
  await choose(page, `${lastSeed}.png`, emptyPicture(lastSeed, 64));
}

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('Choose photos').setInputFiles({ name, mimeType: 'image/png', buffer });

export async function neverUploaded({ page, clock, photographer, event }: TimingContext, bytes: Buffer) {
  await page.route('**/api/photos/upload', never);
  // A server that takes no photo in pieces gets large ones in one piece, too.
  await page.route('**/api/photos/uploads', (route) => route.fulfill({ status: 501 }));
  await openUploads(page, photographer, event);
  await clock.stop();
  const sent = heard(page, '/api/photos/upload');
  await choose(page, 'DSC_1.png', bytes);
  await clock.until(() => sent.count === 1);
  let ended = false;
  // The list of files shows it up to 100 ms later.
  page.on('requestfailed', (request) => (ended ||= request.url().endsWith('/api/photos/upload')));
  return () => ended;
}

export async function neverDownloaded({ page, clock, event }: TimingContext, path: string) {
  await findPhotos(page, event);
  await page.route(`**${path}**`, never);
  const asked = heard(page, path);
  await clock.stop();
  await page.getByRole('button', { name: 'Download photo 1', exact: true }).click();
  await clock.until(() => asked.count === 1);
  return seen(page.getByText('Failed to download photo. Please try again.'));
}

/** Deletes the event as far as the page knows, to the notification that it runs. */
export async function startDeletion({ page, clock, photographer, event }: TimingContext): Promise<void> {
  await page.route('**/api/events/*', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 202, json: { task_id: 'a-task', message: 'Event deletion has started.' } })
      : route.continue(),
  );
  await openAdmin(page, '/admin/events', photographer);
  const card = page.getByRole('article', { name: event.name });
  await card.getByRole('button', { name: 'Delete' }).click();
  await clock.stop();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete event' }).click();
  await clock.until(seen(bell(page, 1)));
}

/** Deletes the event as far as the page knows, to the notifications that it is over. */
export async function endDeletion(timing: TimingContext, status: 'completed' | 'failed'): Promise<void> {
  const { page, clock } = timing;
  await page.route('**/api/events/task/**', (route) =>
    route.fulfill({ json: { status, message: `It has ${status}.` } }),
  );
  await startDeletion(timing);
  // The first look comes after two seconds.
  await clock.pass(1900);
  await clock.until(seen(bell(page, 2)));
}
