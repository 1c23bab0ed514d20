import { type Page } from '@playwright/test';
import { examine } from './axe';
import { expect, test as base } from './fixtures';
import { type Server, startServer } from './server';

/** Each test begins with a service that nobody has set up. */
const test = base.extend<{ fresh: Server }>({
  fresh: async ({}, use) => {
    const server = await startServer();
    await use(server);
    await server.stop();
  },
});

/** The link that the server has printed. */
async function printedLink({ printed }: Server): Promise<string> {
  const found = () => printed.map((line) => line.trim()).find((line) => line.includes('/setup#'));
  await expect.poll(found).toBeDefined();
  return found() ?? '';
}

async function fill(page: Page, email: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Full name' }).fill('Meera Krishnan');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('correct horse');
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('correct horse');
}

test('the printed link makes an administrator, once [SETUP001] [SETUP005] [SETUP020] [SETUP021]', async ({
  browser,
  fresh,
}) => {
  const link = await printedLink(fresh);
  const context = await browser.newContext();
  const [page, other] = [await context.newPage(), await (await browser.newContext()).newPage()];
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  for (const browserPage of [page, other]) {
    await browserPage.goto(link);
    await expect(browserPage.getByRole('heading', { name: 'Set up Afterglow' })).toBeVisible();
  }
  await examine(page, 'the first account');
  await fill(page, 'meera@example.com');
  await page.getByRole('textbox', { name: 'Confirm password' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Before anybody comes' })).toBeVisible();
  expect(requested.some((url) => url.includes(link.split('#')[1] ?? ''))).toBe(false);
  await expect(page).toHaveURL(`${fresh.url}/setup`);

  const mail = page.getByRole('region', { name: 'Mail' });
  await mail.getByRole('button', { name: 'Send a test mail' }).click();
  await expect(mail.getByText(/^The mail was written to .*\.eml and not sent\.$/)).toBeVisible();
  const address = page.getByRole('region', { name: 'Public URL' });
  await expect(address.getByText(fresh.url)).toBeVisible();
  await mail.getByRole('button', { name: 'Set a mail server' }).click();
  await examine(page, 'the settings');
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Quick Actions' })).toBeVisible();

  // The other browser comes too late, with its form or with the link.
  await fill(other, 'ravi@example.com');
  await other.getByRole('button', { name: 'Create account' }).click();
  await expect(other.getByRole('alert')).toHaveText('This service is set up already. Please log in.');
  await other.reload();
  await expect(other.getByRole('alert')).toHaveText('This service is set up already. Please log in.');
  await other.getByRole('link', { name: 'Go to Login' }).click();
  await expect(other.getByRole('heading', { name: 'Login' })).toBeVisible();
  await context.close();
  await other.context().close();
});
