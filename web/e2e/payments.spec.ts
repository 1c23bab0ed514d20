import { readFileSync } from 'node:fs';
import { type FrameLocator, type Page, test as base } from '@playwright/test';
import { createEvent, logIn, type Photographer, signUp } from './accounts';
import { examine } from './axe';
import { expect } from './fixtures';
import { type Provider, startProvider } from './provider';
import { type Server, startServer } from './server';

interface Shop {
  readonly server: Server;
  readonly provider: Provider;
}

/** Tests with a server that has the keys of a payment provider. */
const test = base.extend<{ photographer: Photographer }, { shop: Shop }>({
  shop: [
    // The runner reads from the pattern which fixtures are wanted; an empty one is none.
    async ({}, use) => {
      const provider = await startProvider();
      const server = await startServer(provider.settings);
      await use({ server, provider });
      await server.stop();
      provider.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ shop }, use) => use(shop.server.url),
  photographer: async ({ shop, page, request }, use, { testId }) => {
    const photographer = await signUp(shop.server, request, `${testId}@example.com`);
    await logIn(page, photographer);
    await page.exposeFunction('pay', shop.provider.pay);
    await page.exposeFunction('authorize', shop.provider.authorize);
    await page.exposeFunction('forge', shop.provider.forge);
    await use(photographer);
  },
});

test("credit is bought in the provider's own window [PAY012] [PAY015] [PAY017] [PAY018]", async ({
  page,
  shop: { provider },
  photographer,
}) => {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await provider.answer(page);
  await page.goto('/admin/overview');
  await expect(page.getByRole('region', { name: 'Available Credits' })).toContainText('₹100');
  await page.waitForLoadState('networkidle');
  expect(provider.asked, 'before anybody pays').toEqual([]);

  const checkout = checkoutOf(page);
  const press = (button: string) => pressIn(checkout, button);
  await page.getByLabel('Amount in rupees').fill('250.50');
  await page.getByRole('button', { name: 'Pay ₹250.50' }).click();
  const email = String(photographer.user['email']);
  await expect(checkout.getByText(`${email} pays 25050 paise with rzp_test_afterglow`)).toBeVisible();
  await press('close');
  await expect(page.getByText('Payment was cancelled')).toBeVisible();

  await page.getByRole('button', { name: 'Pay ₹250.50' }).click();
  await press('decline');
  await press('close');
  await expect(page.getByText('The bank declined the card.')).toBeVisible();

  await page.getByRole('button', { name: 'Pay ₹250.50' }).click();
  await press('invent');
  await expect(page.getByText('Payment verification failed')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Available Credits' })).toContainText('₹100');

  // The card that is declined first and taken then: the provider lets a person try again.
  await page.getByRole('button', { name: 'Pay ₹250.50' }).click();
  await press('decline');
  await press('take');
  await expect(page.getByText('501 credits added.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Available Credits' })).toContainText('₹601');

  // The order of the dismissed checkout is abandoned; the next one is used again until it is paid.
  expect(provider.orders.map(({ amount }) => amount)).toEqual([25_050, 25_050]);
  const scripts = provider.asked.filter((url) => url.endsWith('.js'));
  expect(scripts, 'the script comes once').toHaveLength(1);
  expect(problems.filter((text) => !text.includes('status of 4'))).toEqual([]);
});

test('after an event page that was left by its logo, a script that does not come is said, and asked for again [PAY018] [PAY097]', async ({
  page,
  request,
  shop: { server, provider },
  photographer,
}) => {
  const event = await createEvent(server, request, photographer, 'Sangeet', []);
  await provider.answer(page, false);
  await page.goto(`/event/${event.slug}`);
  await page.getByRole('link', { name: 'Afterglow' }).click();
  await page.getByLabel('Amount in rupees').fill('100');
  await page.getByRole('button', { name: 'Pay ₹100' }).click();
  await expect(page.getByText('The payment page could not be loaded. Please try again.')).toBeVisible();
  await expect(page.getByLabel('Amount in rupees')).toHaveValue('100');

  await page.unrouteAll();
  await provider.answer(page);
  await page.getByRole('button', { name: 'Pay ₹100' }).click();
  await pressIn(checkoutOf(page), 'take');
  await expect(page.getByText('200 credits added.')).toBeVisible();
});

test('the premium plan is paid in the window over its dialog, which leaves it the keyboard [PAY024]', async ({
  page,
  shop: { provider },
  photographer,
}) => {
  expect(photographer.token).not.toBe('');
  await provider.answer(page);
  await page.goto('/admin/overview');
  await page.getByRole('button', { name: 'Upgrade to Premium' }).click();
  await page.getByRole('dialog', { name: 'Premium plan' }).getByRole('button', { name: 'Pay ₹999' }).click();
  const card = checkoutOf(page).getByLabel('Card number');
  await card.click();
  for (const digit of '4111 1111 1111 1111') await page.keyboard.press(digit === ' ' ? 'Space' : digit);
  await expect(card).toHaveValue('4111 1111 1111 1111');
  await pressIn(checkoutOf(page), 'take');
  await expect(page.getByRole('dialog', { name: 'Premium plan' })).toBeHidden();
  await expect(page.getByText('Premium is yours: uploads are free from now on.')).toBeVisible();
  await expect(page.getByText('Uploads are free with Premium', { exact: true })).toBeVisible();
});

test('a payment whose money comes late is waited for, and is in the history, which is saved as CSV and has receipts [PAY103]', async ({
  page,
  shop: { provider },
  photographer,
}) => {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  expect(photographer.token).not.toBe('');
  await provider.answer(page);
  await page.goto('/admin/overview');
  await page.getByLabel('Amount in rupees').fill('100');
  await page.getByRole('button', { name: 'Pay ₹100' }).click();
  await pressIn(checkoutOf(page), 'take later');
  await expect(page.getByText('Payment made. Waiting for its confirmation…')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pay ₹100' })).toBeDisabled();
  provider.pay(provider.orders.at(-1)?.id ?? '');
  await expect(page.getByText('200 credits added.')).toBeVisible();

  await page.getByRole('link', { name: 'Payments and receipts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
  const rows = page.getByRole('region', { name: 'Payment history' }).getByRole('listitem');
  await expect(rows).toHaveText([/First recharge doubled/, /Credits bought.*Paid ₹100/, /Free credits/]);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('afterglow-payments.csv');
  const lines = readFileSync(await download.path(), 'utf8').trimEnd().split('\r\n');
  expect(lines.map((line) => line.split(',')[2])).toEqual(['kind', 'doubling', 'recharge', 'signup']);

  await page.getByRole('button', { name: /^Receipt, Credits bought/ }).click();
  const receipt = page.getByRole('dialog', { name: 'Receipt' }).frameLocator('iframe');
  await expect(receipt.getByRole('heading', { name: 'Receipt' })).toBeVisible();
  await expect(receipt.getByText(String(photographer.user['email']))).toBeVisible();
  await expect(receipt.getByRole('row', { name: 'Paid ₹100.00' })).toBeVisible();
  await examine(page, 'a receipt');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  // The receipt's frame runs no script, axe's neither; and while the money is waited for, the server answers 409.
  const expected = /^Blocked script execution in 'about:srcdoc'|status of 409/;
  expect(problems.filter((text) => !expected.test(text))).toEqual([]);
});

const checkoutOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Razorpay Checkout"]');

const pressIn = (checkout: FrameLocator, button: string) =>
  checkout.getByRole('button', { name: button, exact: true }).click();
