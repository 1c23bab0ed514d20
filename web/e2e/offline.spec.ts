import { type Page } from '@playwright/test';
import { logIn, type Photographer, signUp } from './accounts';
import { expect, test } from './fixtures';

/** A form that somebody has filled in when the network goes. */
interface Form {
  readonly path: string;
  readonly photographers?: true;
  /** Opens the form where it does not stand open. */
  readonly open?: string;
  /** Texts by the labels of their fields. */
  readonly typed: Record<string, string>;
  readonly send: string;
  readonly says: string;
}

const FORMS: Record<string, Form> = {
  'the login': {
    path: '/login',
    typed: { Email: 'nobody@offline.example', Password: 'correct horse' },
    send: 'Login',
    says: 'Login failed',
  },
  'the registration': {
    path: '/register',
    typed: {
      'Full name': 'Mira Sen',
      Email: 'nobody@offline.example',
      Password: 'correct horse',
      'Confirm password': 'correct horse',
    },
    send: 'Create account',
    says: 'Registration failed',
  },
  'a forgotten password': {
    path: '/forgot-password',
    typed: { Email: 'nobody@offline.example' },
    send: 'Send link',
    says: 'Failed to send the link. Please try again.',
  },
  'a password that is set anew': {
    path: '/reset-password#token=whatever',
    typed: { 'New password': 'staple battery', 'Confirm new password': 'staple battery' },
    send: 'Set password',
    says: 'Failed to set the new password. Please try again.',
  },
  'the contact form': {
    path: '/contact',
    typed: { Name: 'Asha', Email: 'asha@example.com', Subject: 'Photos', Message: 'Where are they?' },
    send: 'Send Message',
    says: 'Network error. Please check your connection and try again.',
  },
  'a new event': {
    path: '/admin/event-registration',
    photographers: true,
    typed: { 'Event name': 'Mehndi', 'Event date': '2026-11-22' },
    send: 'Create event',
    says: 'It may have been created: look at your events before you try again.',
  },
  'a new name': {
    path: '/admin/account',
    photographers: true,
    open: 'Change Name',
    typed: { 'New name': 'Mira Kapoor' },
    send: 'Update Name',
    says: 'Failed to update name',
  },
  'a new address': {
    path: '/admin/account',
    photographers: true,
    open: 'Change Email',
    typed: {
      'New email': 'kapoor@example.com',
      'Confirm email': 'kapoor@example.com',
      'Current Password (optional)': 'correct horse',
    },
    send: 'Update Email',
    says: 'Failed to update email',
  },
  'a new password': {
    path: '/admin/account',
    photographers: true,
    open: 'Change Password',
    typed: {
      'Current Password': 'correct horse',
      'New Password': 'staple battery',
      'Confirm New Password': 'staple battery',
    },
    send: 'Update Password',
    says: 'Failed to change password',
  },
  'all that an account has': {
    path: '/admin/account',
    photographers: true,
    open: 'Download',
    typed: { Password: 'correct horse' },
    send: 'Prepare the ZIP',
    says: 'Your data could not be gathered. Please try again.',
  },
  'the end of an account': {
    path: '/admin/account',
    photographers: true,
    open: 'Delete account',
    typed: { Password: 'not the one it has' },
    send: 'Delete account',
    says: 'Failed to delete the account. Please try again.',
  },
  'a coupon': {
    path: '/admin/overview',
    photographers: true,
    open: 'Upgrade to Premium',
    typed: { 'Coupon code': 'AFTER20' },
    send: 'Apply',
    says: 'Error applying coupon. Please try again.',
  },
  'a recharge': {
    path: '/admin/overview',
    photographers: true,
    typed: { 'Amount in rupees': '250' },
    send: 'Pay ₹250',
    says: 'Failed to create order',
  },
};

let photographer: Photographer;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'offline@example.com');
  await request.dispose();
});

for (const [whose, photographers] of [['everybody’s', undefined], ['a photographer’s', true]] as const) {
  const forms = Object.entries(FORMS).filter(([, form]) => form.photographers === photographers);
  test(`without a network each of ${whose} forms says so, keeps what was typed, and can be sent again`, async ({ page }) => {
    if (photographers === true) await logIn(page, photographer);
    for (const [name, form] of forms) await test.step(name, () => loseNetwork(page, form));
  });
}

async function loseNetwork(page: Page, form: Form): Promise<void> {
  await page.goto(form.path);
  if (form.open !== undefined) await page.getByRole('button', { name: form.open }).click();
  for (const [label, text] of Object.entries(form.typed)) await field(page, label).fill(text);
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  const send = page.getByRole('button', { name: form.send, exact: true }).last();
  await send.click();
  await expect(page.getByText(form.says, { exact: true }).first()).toBeVisible();
  await expect(send).toBeEnabled();
  for (const [label, text] of Object.entries(form.typed)) await expect(field(page, label)).toHaveValue(text);

  await page.context().setOffline(false);
  const sent = page.waitForResponse((response) => response.request().method() !== 'GET');
  await send.click();
  expect((await sent).status()).toBeGreaterThan(0);
}

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
