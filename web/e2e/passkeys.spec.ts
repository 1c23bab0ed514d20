import { type CDPSession, type Page } from '@playwright/test';
import { logIn, PASSWORD, signUp } from './accounts';
import { examine } from './axe';
import { expect, test } from './fixtures';

const EMAIL = 'meera@example.com';

/** Gives the browser an authenticator whose owner is there and confirms at once. */
async function addAuthenticator(page: Page): Promise<{ client: CDPSession; authenticatorId: string }> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { client, authenticatorId };
}

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
}

test('a passkey is added, and opens the account after the password [AUTH212]', async ({
  page,
  request,
  server,
}) => {
  await logIn(page, await signUp(server, request, EMAIL));
  const { client, authenticatorId } = await addAuthenticator(page);
  await page.goto('/admin/account');
  const card = page.getByRole('region', { name: 'Passkeys' });
  await card.getByRole('button', { name: 'Add a passkey' }).click();
  await card.getByLabel('Passkey name').fill('My laptop');
  await card.getByRole('textbox', { name: 'Current Password' }).fill(PASSWORD);
  await card.getByRole('button', { name: 'Continue' }).click();
  const codes = card.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [first = ''] = await codes.allTextContents();
  await examine(page, 'the recovery codes');
  await card.getByRole('button', { name: 'Done' }).click();
  await expect(card.getByText('My laptop')).toBeVisible();
  await expect(card.getByText('Never used')).toBeVisible();
  expect((await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toHaveLength(1);

  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await enterPassword(page);
  await expect(page.getByText('Confirm with your passkey that it is you.')).toBeVisible();
  await examine(page, 'the question for a passkey');
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  await expect(page).toHaveURL(/\/admin\/overview$/);
  await page.goto('/admin/account');
  await expect(card.getByText(/^Last used/)).toBeVisible();

  // Without the device a recovery code does.
  await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await enterPassword(page);
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await page.getByLabel('Code').fill(first);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/admin\/overview$/);

  await page.goto('/admin/account');
  await card.getByRole('button', { name: 'Remove My laptop' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Current Password' }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Remove passkey' }).click();
  // While it is open nothing behind it has a role.
  await expect(dialog).toBeHidden();
  await expect(card.getByText('My laptop')).toHaveCount(0);
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await enterPassword(page);
  await expect(page).toHaveURL(/\/admin\/overview$/);
});
