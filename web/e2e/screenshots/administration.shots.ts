import { type Page } from '@playwright/test';
import { createEvent, logIn, type Photographer, signUp, signUpAdministrator } from '../accounts';
import { expect, startedServer, test as base } from '../fixtures';
import { saveAtExtremes, saveScreenshot } from './save';

/** Pictures of the administration. */
const test = base.extend({
  server: [startedServer, { scope: 'worker', timeout: 120_000 }],
});

let administrator: Photographer;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  administrator = await signUpAdministrator(server, request, 'asha@example.com');
  for (const studio of ['meera', 'priya.venkataraman-subramaniam@a-very-long-photography-studio']) {
    const photographer = await signUp(server, request, `${studio.replaceAll('@', '.')}@example.com`);
    await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', ['obama.jpg']);
  }
  await request.post(`${server.url}/api/auth/register`, {
    data: { name: 'Ravi', email: 'ravi@example.com', password: 'correct horse', is_photographer: true },
  });
  await request.dispose();
});

/** Jobs that have failed, and payments to refund, which a new service does not have. */
async function withTrouble(page: Page): Promise<void> {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const account = { id: 'a1', email: 'meera@example.com', name: 'Meera' };
  const jobs = ['index_photo', 'send_password_reset'].map((kind, number) => ({
    id: `j${number}`,
    kind,
    error: 'connection to mail.example.com:587 refused (os error 111)',
    attempts: 40,
    photo_id: number === 0 ? '0192f0c1-7a1b-7c3d-8e5f-000000000077' : null,
    created_at: ago(90),
    failed_at: ago(number + 1),
  }));
  const kinds = jobs.map(({ kind }) => ({ kind, waiting: 1234, running: 2, failed: 1, oldest_seconds: 340 }));
  const payment = { provider: 'razorpay', amount: 999, reason: 'the account had the premium plan', account };
  await page.route('**/api/administration/jobs', (route) => route.fulfill({ json: { kinds } }));
  await page.route('**/api/administration/jobs/failed*', (route) =>
    route.fulfill({ json: { jobs, next_cursor: 'more' } }),
  );
  await page.route('**/api/administration/payments', (route) =>
    route.fulfill({
      json: {
        refunds_due: [{ ...payment, payment_id: 'pay_Nx81kd02lsPQ', paid_at: ago(50) }],
        failed_orders: [{ ...payment, order_id: 'o1', provider_order_id: null, failed_at: ago(70) }],
      },
    }),
  );
}

/** Webhooks in each of their states, and messages to one of them. */
async function withWebhooks(page: Page): Promise<void> {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const delivery = (number: number, changes: object) => ({
    id: `d${number}`,
    message_id: `msg_${number}`,
    event_type: 'photo.indexed',
    payload: `{"type":"photo.indexed","timestamp":"${at(-number)}","data":{"event_id":"019a9f30-7a1b-7c3d-8e5f-000000000077","photos":340,"since":"${at(-number)}"}}`,
    state: 'delivered',
    attempts: 1,
    created_at: at(-number),
    next_attempt_at: null,
    last_attempt: { at: at(-number), duration_ms: 184, status: 204, answer: '' },
    ...changes,
  });
  const late = {
    attempts: 4,
    last_attempt: { at: at(-1), duration_ms: 15_000, status: null, answer: 'no answer within 15 seconds' },
  };
  const waiting = delivery(1, { ...late, state: 'waiting', next_attempt_at: at(2) });
  const busy = { at: at(-3), duration_ms: 96, status: 503, answer: '<html><title>503 Service Unavailable</title>' };
  const webhook = (id: string, url: string, changes: object) => ({
    id,
    url,
    description: '',
    event_types: ['event.created'],
    disabled: null,
    failing_since: null,
    former_secret_until: null,
    created_at: at(-500),
    newest: null,
    ...changes,
  });
  const webhooks = [
    webhook('w1', 'https://hooks.example.com/services/T0123456789/B0123456789/a-very-long-secret-part-of-the-address', {
      description: 'Chat of the team',
      event_types: ['event.created', 'photo.indexed', 'search.done'],
      failing_since: at(-4),
      former_secret_until: at(20),
      newest: waiting,
    }),
    webhook('w2', 'https://accounting.example.com/payments', {
      description: 'Accounting',
      event_types: ['payment.captured', 'payment.refunded'],
      newest: delivery(5, { event_type: 'payment.captured' }),
    }),
    webhook('w3', 'https://old.example.com/', { disabled: { at: at(-30), by: 'failures' } }),
  ];
  const deliveries = [
    waiting,
    delivery(2, { event_type: 'webhook.test' }),
    delivery(3, { state: 'failed', attempts: 10, last_attempt: busy }),
    delivery(4, { state: 'dropped' }),
  ];
  await page.route('**/api/administration/webhooks', (route) =>
    route.fulfill({ json: { webhooks, event_types: ['event.created', 'photo.indexed', 'search.done', 'payment.captured', 'payment.refunded'] } }),
  );
  await page.route('**/api/administration/webhooks/*/deliveries*', (route) =>
    route.fulfill({ json: { deliveries, next_cursor: 'more' } }),
  );
}

const screens = ['', '/accounts', '/events', '/jobs', '/refunds', '/webhooks', '/settings'];

for (const language of ['en', 'hi'] as const) {
  test(`the administration, ${language}`, async ({ page }) => {
    await page.addInitScript((tag) => localStorage.setItem('language', tag), language);
    await logIn(page, administrator);
    const save = async (name: string) => {
      await saveScreenshot(page, `administration-${name}-${language}`);
      await saveAtExtremes(page, `administration-${name}-${language}`);
    };
    for (const trouble of [false, true]) {
      if (trouble) {
        await withTrouble(page);
        await withWebhooks(page);
      }
      for (const screen of screens) {
        if (trouble && ['/accounts', '/events', '/settings'].includes(screen)) continue;
        await page.goto(`/admin/administration${screen}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await page.waitForLoadState('networkidle');
        await save(`${screen.slice(1) || 'overview'}${trouble ? '-trouble' : ''}`);
      }
    }
    for (const id of ['w1', 'w3']) {
      await page.goto(`/admin/administration/webhooks/${id}`);
      await expect(page.getByRole('table')).toBeVisible();
      await save(`webhook-${id}`);
    }
    await page.goto('/admin/administration/webhooks');
    await page.getByRole('main').getByRole('button').click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await saveScreenshot(page, `administration-webhooks-add-${language}`, 'window');
    await page.goto('/admin/administration/accounts?query=ravi@example.com');
    await page.getByRole('link', { name: 'Ravi' }).click();
    const actions = page.getByRole('region').nth(1).getByRole('button');
    await expect(actions).toHaveCount(3);
    await save('account');
    for (const [number, name] of ['verify', 'credits', 'lock'].entries()) {
      await actions.nth(number).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await saveScreenshot(page, `administration-account-${name}-${language}`, 'window');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    // As on a line that is cut, and with an answer that has nothing.
    await page.route('**/api/administration/accounts*', (route) => route.abort());
    await page.goto('/admin/administration/accounts');
    await expect(page.getByRole('alert')).toBeVisible();
    await saveScreenshot(page, `administration-accounts-failed-${language}`);
  });
}
