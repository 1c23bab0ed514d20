import { type APIRequestContext } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, post, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { mailedLink } from '../outbox';
import { emptyPicture } from '../pictures';
import { type Server } from '../server';
import { saveAtExtremes, saveScreenshot } from './save';

/** Pictures of a team: its page, an invitation, and what a contributor and a manager have of the event. */

let owner: Photographer;
let manager: Photographer;
let contributor: Photographer;
let event: Event;

const bearer = ({ token }: Photographer) => ({ Authorization: `Bearer ${token}` });

/** Mails an invitation; resolves to its link. */
async function invite(server: Server, request: APIRequestContext, email: string, role: string): Promise<string> {
  await post(request, `${server.url}/api/events/${event.id}/invitations`, { email, role }, bearer(owner));
  return mailedLink(server.outbox, email, '/invitation#');
}

async function join(
  server: Server,
  request: APIRequestContext,
  email: string,
  role: string,
): Promise<Photographer> {
  const member = await signUp(server, request, email);
  const [, token] = (await invite(server, request, email, role)).split('#');
  await post(request, `${server.url}/api/invitations/accept`, { token }, bearer(member));
  return member;
}

test.beforeAll(async ({ server, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  owner = await signUp(server, request, 'owner@example.com');
  event = await createEvent(server, request, owner, 'Aanya & Rohan, Sangeet', ['obama.jpg', 'biden.jpg']);
  manager = await join(server, request, 'asha.krishnamurthy-sengupta@photography-studio.example.com', 'manager');
  contributor = await join(server, request, 'ravi@example.com', 'contributor');
  await invite(server, request, 'kiran@example.com', 'contributor');
  await request.dispose();
});

test('a team', async ({ page }) => {
  await logIn(page, owner, event);
  await page.goto(`/admin/settings?event=${event.id}`);
  await expect(page.getByRole('button', { name: 'Withdraw kiran@example.com' })).toBeVisible();
  await saveScreenshot(page, 'admin-team');
  await saveAtExtremes(page, 'admin-team');
  await page.getByRole('button', { name: /^Remove/ }).first().click();
  await saveScreenshot(page, 'admin-team-remove', 'window');
});

for (const language of ['en', 'de'] as const) {
  test(`an invitation, ${language}`, async ({ page, request, server }) => {
    await page.addInitScript((tag) => localStorage.setItem('language', tag), language);
    await page.goto(await invite(server, request, `visitor-${language}@example.com`, 'contributor'));
    await expect(page.getByText('Aanya & Rohan, Sangeet')).toBeVisible();
    await saveScreenshot(page, `site-invitation-${language}`);
    await saveAtExtremes(page, `site-invitation-${language}`);
    await page.getByRole('button').last().click();
    await expect(page.getByRole('status')).toBeVisible();
    await saveScreenshot(page, `site-invitation-declined-${language}`);
  });
}

test('an invitation that is over', async ({ page }) => {
  await page.goto('/invitation#unknown');
  await expect(page.getByRole('status')).toBeVisible();
  await saveScreenshot(page, 'site-invitation-over');
});

test('in the hands of a manager', async ({ page, request, server }) => {
  const link = await invite(server, request, 'late@example.com', 'contributor');
  await logIn(page, manager, event);
  await page.goto('/admin/events?list=shared');
  await expect(page.getByText('Mira Sen owns it, you manage it.')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await saveScreenshot(page, 'admin-events-shared-manager');
  await page.goto(`/admin/settings?event=${event.id}`);
  await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible();
  await saveScreenshot(page, 'admin-team-manager');
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'Accept the invitation' })).toBeVisible();
  await saveScreenshot(page, 'site-invitation-logged-in');
});

test('in the hands of a contributor', async ({ page }) => {
  await logIn(page, contributor, event);
  await page.goto(`/admin/gallery?event=${event.id}`);
  await expect(page.getByRole('heading', { name: 'No photos yet' })).toBeVisible();
  await saveScreenshot(page, 'admin-gallery-contributor-empty');
  await page.goto(`/admin/upload?event=${event.id}`);
  await expect(page.getByText(/pays for photos of this event/)).toBeVisible();
  await page
    .getByLabel('Choose photos')
    .setInputFiles([
      { name: 'DSC_0001.png', mimeType: 'image/png', buffer: emptyPicture(7, 320) },
      { name: 'DSC_0002.png', mimeType: 'image/png', buffer: emptyPicture(8, 320) },
    ]);
  await expect(page.getByRole('region', { name: 'Progress' })).toContainText('2 of 2');
  await saveScreenshot(page, 'admin-upload-contributor');
  await page.goto(`/admin/gallery?event=${event.id}`);
  await expect(page.getByRole('button', { name: /Open DSC_0001\.png/ })).toBeVisible();
  await saveScreenshot(page, 'admin-gallery-contributor');
  await page.goto('/admin/events?list=shared');
  await expect(page.getByText('Mira Sen owns it, you upload photos.')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await saveScreenshot(page, 'admin-events-shared');
  await saveAtExtremes(page, 'admin-events-shared');
  await page.getByRole('button', { name: 'Leave' }).click();
  await saveScreenshot(page, 'admin-events-leave', 'window');
  await page.goto(`/admin/people?event=${event.id}`);
  await expect(page.getByRole('heading', { name: 'For the owner and managers' })).toBeVisible();
  await saveScreenshot(page, 'admin-managers-only');
});
