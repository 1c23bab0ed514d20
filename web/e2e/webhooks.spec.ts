import { createHmac } from 'node:crypto';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEvent, logIn, signUpAdministrator } from './accounts';
import { examine } from './axe';
import { expect, test as base } from './fixtures';
import { type Server, startServer } from './server';

interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A service whose administrator is made by the test; and a program that is told. */
const test = base.extend<{ fresh: Server; receiver: { url: string; received: Received[] } }>({
  fresh: async ({}, use) => {
    const server = await startServer();
    await use(server);
    await server.stop();
  },
  receiver: async ({}, use) => {
    const received: Received[] = [];
    const http: HttpServer = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
    const { port } = http.address() as AddressInfo;
    await use({ url: `http://127.0.0.1:${port}/hook`, received });
    await new Promise((closed) => http.close(closed));
  },
});

test('an administrator adds a webhook, whose messages can be verified [HOOK011]', async ({
  page,
  request,
  fresh,
  receiver,
}) => {
  const administrator = await signUpAdministrator(fresh, request, 'asha@example.com');
  await logIn(page, administrator);
  await page.goto(`${fresh.url}/admin/administration/webhooks`);
  await expect(page.getByText('No webhooks')).toBeVisible();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
  await page.getByRole('textbox', { name: 'Description' }).fill('Chat of the team');
  await page.getByRole('checkbox', { name: 'An event is created' }).check();
  await examine(page, 'the dialog of a new webhook');
  await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
  const secret = await page.getByRole('dialog').locator('code').innerText();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByRole('row', { name: /A test/ })).toContainText('HTTP 204', { timeout: 30_000 });
  await examine(page, 'a webhook');
  const [first] = receiver.received;
  const id = String(first?.headers['webhook-id']);
  const timestamp = String(first?.headers['webhook-timestamp']);
  const signed = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${id}.${timestamp}.${first?.body ?? ''}`)
    .digest('base64');
  expect(first?.headers['webhook-signature']).toBe(`v1,${signed}`);

  await createEvent(fresh, request, administrator, 'Sangeet', []);
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(2);
  const told = JSON.parse(receiver.received[1]?.body ?? '{}') as { type: string; data: { name: string } };
  expect(told).toMatchObject({ type: 'event.created', data: { name: 'Sangeet' } });
});
