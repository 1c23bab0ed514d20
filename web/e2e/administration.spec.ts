import { type APIRequestContext, type Page } from '@playwright/test';
import { createEvent, logIn, PASSWORD, type Photographer, signUp, signUpAdministrator } from './accounts';
import { examine } from './axe';
import { expect, test as base } from './fixtures';
import { type Server } from './server';

/** Tests with one service that has an administrator, and a photographer with an event. */
const test = base.extend<object, { administrator: Photographer; photographer: Photographer }>({
  administrator: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext();
      await use(await signUpAdministrator(server, request, 'asha@example.com'));
      await request.dispose();
    },
    { scope: 'worker' },
  ],
  photographer: [
    // The account after the administrator's.
    async ({ server, playwright, administrator: _ }, use) => {
      const request = await playwright.request.newContext();
      const photographer = await signUp(server, request, 'meera@example.com');
      await createEvent(server, request, photographer, 'Sangeet', ['obama.jpg']);
      await use(photographer);
      await request.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/** Follows a link of the administration's own navigation, and waits for its screen. */
async function turnTo(page: Page, screen: string, heading: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: screen }).click();
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
}

test('an administrator sees how the service is', async ({
  page,
  administrator,
  photographer: _,
}) => {
  await logIn(page, administrator);
  await page.goto('/admin/overview');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Administration' }).click();
  await expect(page.getByText('Nothing needs attention.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Accounts' })).toContainText('2');
  const ledger = page.getByRole('region', { name: 'Ledger of credits' });
  await expect(ledger).toContainText('Ledger and balances agree');
  await expect(ledger).toContainText('−₹1');
  await examine(page, 'the overview');

  await turnTo(page, 'Accounts', 'Accounts');
  await expect(page.getByRole('row', { name: /asha@example\.com/ })).toContainText('Administrator');
  await page.getByRole('searchbox').fill('MEERA@');
  await expect(page.getByText('1 account', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\?query=MEERA/);
  await examine(page, 'the accounts');
  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue('MEERA@');
  await expect(page.getByRole('row', { name: /meera@example\.com/ })).toContainText('₹99');
  await page.getByRole('link', { name: 'Mira Sen' }).click();
  await expect(page.getByRole('region', { name: 'At a glance' })).toContainText('₹99');
  await examine(page, 'an account');

  await turnTo(page, 'Events', 'Events by size');
  const row = page.getByRole('row', { name: /Sangeet/ });
  await expect(row).toContainText('meera@example.com');
  await expect(row).toContainText(/\d kB/);
  await examine(page, 'the events');

  await turnTo(page, 'Jobs', 'Jobs');
  await expect(page.getByText('No failed jobs')).toBeVisible();
  await examine(page, 'the jobs');

  await turnTo(page, 'Refunds', 'Refunds');
  await expect(page.getByText('Nothing to refund')).toBeVisible();
  await examine(page, 'the refunds');

  await turnTo(page, 'Settings', 'Settings in force');
  await page.getByRole('button', { name: 'Changed' }).click();
  await expect(page.getByRole('row', { name: /rate_limits/ })).toContainText('off');
  await expect(page.getByRole('row', { name: /retention_days/ })).toHaveCount(0);
  await examine(page, 'the settings');
});

test('the administration is closed to photographers', async ({ page, photographer }) => {
  await logIn(page, photographer);
  await page.goto('/admin/administration/accounts');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await examine(page, 'the denied administration');
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Quick Actions' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Administration' })).toHaveCount(0);
});

/** The status of an attempt to log in. */
async function loginStatus(request: APIRequestContext, { url }: Server, email: string): Promise<number> {
  const answer = await request.post(`${url}/api/auth/login`, { data: { email, password: PASSWORD } });
  return answer.status();
}

async function balance(request: APIRequestContext, { url }: Server, { token }: Photographer): Promise<unknown> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await request.get(`${url}/api/subscription/credits`, { headers });
  return ((await answer.json()) as { credits: unknown }).credits;
}

test('an administrator verifies, gives credits, locks and unlocks [ADMIN032]', async ({
  page,
  request,
  server,
  administrator,
}) => {
  const email = 'ravi@example.com';
  await request.post(`${server.url}/api/auth/register`, {
    data: { name: 'Ravi', email, password: PASSWORD, is_photographer: true },
  });
  expect(await loginStatus(request, server, email)).toBe(403);
  await logIn(page, administrator);
  await page.goto(`/admin/administration/accounts?query=${email}`);
  await page.getByRole('link', { name: 'Ravi' }).click();

  await page.getByRole('button', { name: 'Verify address' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Verify address' }).click();
  await expect(page.getByText(`${email} is verified.`)).toBeVisible();
  const answer = await request.post(`${server.url}/api/auth/login`, { data: { email, password: PASSWORD } });
  const ravi = (await answer.json()) as Photographer;

  await page.getByRole('button', { name: 'Change credits' }).click();
  await page.getByLabel('Amount in rupees').fill('20.50');
  await page.getByLabel('Reason').fill('For the outage');
  await examine(page, 'a change of credits');
  await page.getByRole('button', { name: 'Give credits' }).click();
  await expect(page.getByText('₹20.50 given. The balance is ₹120.50.')).toBeVisible();
  expect(await balance(request, server, ravi)).toBe(120.5);

  await page.getByRole('button', { name: 'Change credits' }).click();
  await page.getByRole('button', { name: 'Take', exact: true }).click();
  await page.getByLabel('Amount in rupees').fill('20.50');
  await page.getByLabel('Reason').fill('Not this one');
  await page.getByLabel('Reason').press('Enter');
  await expect(page.getByText('₹20.50 taken. The balance is ₹100.')).toBeVisible();

  await page.getByRole('button', { name: 'Lock account' }).click();
  await page.getByLabel('Reason').fill('Chargeback');
  await page.getByRole('dialog').getByRole('button', { name: 'Lock account' }).click();
  await expect(page.getByText(`${email} is locked.`)).toBeVisible();
  expect(await loginStatus(request, server, email)).toBe(403);
  // Without what the notification says.
  await page.reload();
  await expect(page.getByText(/Chargeback/)).toBeVisible();
  await examine(page, 'a locked account');
  await page.getByRole('button', { name: 'Unlock account' }).click();
  await expect(page.getByText(`${email} is unlocked.`)).toBeVisible();
  expect(await loginStatus(request, server, email)).toBe(200);
});
