import { expect, test as base } from '../fixtures';
import { type Server, startServer } from '../server';
import { saveAtExtremes, saveScreenshot } from './save';

/** Pictures of the set-up: the first account, a link that is refused, and the settings. */
const test = base.extend<{ fresh: Server }>({
  fresh: async ({}, use) => {
    const server = await startServer();
    await use(server);
    await server.stop();
  },
});

for (const language of ['en', 'hi'] as const) {
  test(`the set-up, ${language}`, async ({ page, fresh }) => {
    await page.addInitScript((tag) => localStorage.setItem('language', tag), language);
    await page.goto(`${fresh.url}/setup#made-up`);
    await expect(page.getByRole('alert')).toBeVisible();
    await saveScreenshot(page, `setup-refused-${language}`);
    const found = () => fresh.printed.map((line) => line.trim()).find((line) => line.includes('/setup#'));
    await expect.poll(found).toBeDefined();
    await page.goto('about:blank');
    await page.goto(found() ?? '');
    const fields = page.getByRole('textbox');
    await expect(fields.first()).toBeVisible();
    await saveScreenshot(page, `setup-account-${language}`);
    await saveAtExtremes(page, `setup-account-${language}`);
    for (const [number, text] of ['Meera Krishnan', 'meera@example.com'].entries()) {
      await fields.nth(number).fill(text);
    }
    for (const number of [0, 1]) await page.locator('input[type=password]').nth(number).fill('correct horse');
    await page.locator('button[type=submit]').click();
    const mail = page.getByRole('region').nth(1);
    await mail.getByRole('button').first().click();
    await expect(mail.getByText(/\.eml/)).toBeVisible();
    await mail.getByRole('button').last().click();
    await saveScreenshot(page, `setup-settings-${language}`);
    await saveAtExtremes(page, `setup-settings-${language}`);
    // As if the page were opened at another address than the configured one.
    await page.route('**/api/setup/settings', async (route) => {
      const answer = await route.fetch();
      const settings = (await answer.json()) as Record<string, unknown>;
      await route.fulfill({ json: { ...settings, public_url: 'https://photos.studio-krishnamurthy.example.com' } });
    });
    await page.reload();
    await expect(page.getByText('https://photos.studio-krishnamurthy.example.com')).toBeVisible();
    await saveAtExtremes(page, `setup-settings-elsewhere-${language}`);
  });
}
