import { type APIRequestContext, type Page } from '@playwright/test';
import { createEvent, type Event, logIn, PASSWORD, type Photographer, signUp } from './accounts';
import { examine } from './axe';
import { expect, test } from './fixtures';
import { mailedLink } from './outbox';
import { emptyPicture } from './pictures';
import type { Server } from './server';

const CONTRIBUTOR = 'ravi@example.com';

let owner: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  owner = await signUp(server, request, 'owner@example.com');
  const bytes = emptyPicture(1, 64);
  event = await createEvent(server, request, owner, 'Sangeet', [{ name: 'owner.png', bytes }]);
  await request.dispose();
});

/** Registers on the page that is shown, verifies in another tab by the mail, and logs in there. */
async function register(page: Page, server: Server): Promise<Page> {
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ravi Menon');
  await page.getByRole('textbox', { name: 'Email' }).fill(CONTRIBUTOR);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Log in with this browser: the invitation waits here.')).toBeVisible();
  const tab = await page.context().newPage();
  await tab.goto(await mailedLink(server.outbox, CONTRIBUTOR, '/verify-email'));
  await tab.getByRole('link', { name: 'Go to Login Page' }).click();
  await tab.getByRole('textbox', { name: 'Email' }).fill(CONTRIBUTOR);
  await tab.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await tab.getByRole('button', { name: 'Login' }).click();
  return tab;
}

async function creditsOf(request: APIRequestContext, server: Server, token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await request.get(`${server.url}/api/subscription/credits`, { headers });
  return ((await answer.json()) as { credits: number }).credits;
}

test('a photographer without an account is invited, uploads at the owner’s expense, and is removed', async ({
  browser,
  page,
  request,
  server,
}) => {
  await logIn(page, owner, event);
  await page.goto(`/admin/settings?event=${event.id}`);
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Team' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(CONTRIBUTOR);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText(`An invitation is on its way to ${CONTRIBUTOR}.`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Withdraw ${CONTRIBUTOR}` })).toBeVisible();
  await examine(page, 'the team');

  const context = await browser.newContext();
  const visitor = await context.newPage();
  const requested: string[] = [];
  visitor.on('request', (sent) => requested.push(sent.url()));
  const link = await mailedLink(server.outbox, CONTRIBUTOR, '/invitation#');
  await visitor.goto(link);
  await expect(visitor.getByText('Mira Sen pays for photos of this event.')).toBeVisible();
  await expect(visitor).toHaveURL(`${server.url}/invitation`);
  await visitor.reload();
  await expect(visitor.getByText('Mira Sen pays for photos of this event.')).toBeVisible();
  await examine(visitor, 'the invitation');
  await visitor.getByRole('link', { name: 'Register' }).last().click();
  const contributor = await register(visitor, server);
  await contributor.getByRole('button', { name: 'Accept the invitation' }).click();
  expect(requested.some((url) => url.includes(link.split('#')[1] ?? ''))).toBe(false);

  await expect(contributor.getByText('To Sangeet. Mira Sen pays for photos of this event.')).toBeVisible();
  const before = await creditsOf(request, server, owner.token);
  await contributor
    .getByLabel('Choose photos')
    .setInputFiles([{ name: 'ravi.png', mimeType: 'image/png', buffer: emptyPicture(2, 64) }]);
  await expect(contributor.getByRole('region', { name: 'Progress' })).toContainText('1 uploaded');
  expect(await creditsOf(request, server, owner.token)).toBe(before - 1);
  const token = await contributor.evaluate(() => localStorage.getItem('token') ?? '');
  expect(await creditsOf(request, server, token)).toBe(100);

  // Each sees what is theirs to see.
  await contributor.getByRole('navigation').getByRole('link', { name: 'Gallery' }).click();
  await expect(contributor.getByText('The photos that you uploaded.')).toBeVisible();
  await expect(contributor.getByRole('button', { name: /Open ravi\.png/ })).toBeVisible();
  await expect(contributor.getByRole('button', { name: /Open owner\.png/ })).toHaveCount(0);
  await examine(contributor, 'a contributor’s gallery');
  await contributor.goto('/admin/events?list=shared');
  const card = contributor.getByRole('article', { name: 'Sangeet' });
  await expect(card.getByText('Mira Sen owns it, you upload photos.')).toBeVisible();
  await expect(card.getByRole('button')).toHaveText(['Upload', 'Gallery', 'Leave']);
  await page.goto(`/admin/gallery?event=${event.id}`);
  await expect(page.getByRole('button', { name: /Open owner\.png/ })).toBeVisible();
  await page.getByRole('button', { name: 'Sort and filter' }).click();
  await page.getByRole('combobox', { name: 'Uploaded by' }).selectOption('Ravi Menon');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: /Open owner\.png/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Open ravi\.png/ })).toBeVisible();

  // The mail that tells the owner leads to the team.
  await page.goto(await mailedLink(server.outbox, 'owner@example.com', '/admin/team'));
  await page.getByRole('button', { name: 'Remove Ravi Menon' }).click();
  await page.getByRole('button', { name: 'Remove from the team' }).click();
  await expect(page.getByText('Ravi Menon is no longer in the team.')).toBeVisible();
  await contributor.goto(`/admin/gallery?event=${event.id}`);
  await expect(contributor.getByText('This event is not among your events.')).toBeVisible();
  await page.goto(`/admin/gallery?event=${event.id}`);
  await expect(page.getByRole('button', { name: /Open ravi\.png/ })).toBeVisible();
  // The link was good once.
  await contributor.goto('about:blank');
  await contributor.goto(link);
  await expect(contributor.getByText('This invitation has expired, was withdrawn or was used.')).toBeVisible();
  await context.close();
});
