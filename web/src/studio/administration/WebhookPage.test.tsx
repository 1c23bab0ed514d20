import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { aWebhook, aWebhookDelivery } from '../shared/webhooks/testing';
import { signInAsAdministrator } from './testing';
import type { Webhook, WebhookDelivery } from '../shared/webhooks/webhooks';
import WebhookPage from './WebhookPage';

const webhooks = '/admin/administration/webhooks';
const one = '/api/administration/webhooks/w1';
const list = 'GET /api/administration/webhooks';
const messages = `GET ${one}/deliveries`;
const eventTypes = ['event.created', 'photo.indexed'];

/** A server with one webhook, which the calls change. */
function serve(webhook: Webhook = aWebhook(), deliveries: WebhookDelivery[] = []) {
  const state = { webhook: webhook as Webhook | undefined };
  const changed = (changes: Partial<Webhook>) => {
    state.webhook = { ...webhook, ...changes };
    return json(state.webhook);
  };
  return mockServer({
    [list]: () =>
      json({ webhooks: state.webhook === undefined ? [] : [state.webhook], event_types: eventTypes }),
    [messages]: () => json({ deliveries, next_cursor: null }),
    [`PUT ${one}`]: ({ body }) => changed(body as Partial<Webhook>),
    [`PUT ${one}/switch`]: ({ body }) =>
      changed({
        disabled: (body as { on: boolean }).on ? null : { at: '2026-11-23T10:00:00Z', by: 'administrator' },
      }),
    [`POST ${one}/secret`]: () => json({ ...webhook, secret: 'whsec_bmV3' }),
    [`POST ${one}/test`]: () => json(aWebhookDelivery({ state: 'waiting' }), 202),
    [`DELETE ${one}`]: () => {
      state.webhook = undefined;
      return json({ success: true });
    },
  });
}

const renderWebhook = () => renderScreen(<WebhookPage />, `${webhooks}/w1`, undefined, `${webhooks}/:id`);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const confirm = async (title: string, action: string) => {
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await userEvent.click(dialog.getByRole('button', { name: action }));
};

beforeEach(signInAsAdministrator);

describe('a webhook', () => {
  it('lists its last messages with their answers', async () => {
    serve(aWebhook(), [
      aWebhookDelivery({
        id: 'd4',
        state: 'waiting',
        attempts: 2,
        next_attempt_at: '2126-11-22T10:00:00Z',
        last_attempt: { at: '2026-11-22T10:00:01Z', duration_ms: 1234, status: 503, answer: 'come later' },
      }),
      aWebhookDelivery({ id: 'd3', state: 'waiting', attempts: 0, last_attempt: null }),
      aWebhookDelivery({ id: 'd2', state: 'dropped' }),
      aWebhookDelivery({ id: 'd1', state: 'failed', event_type: 'webhook.test' }),
      aWebhookDelivery({ id: 'd0' }),
    ]);
    renderWebhook();
    expect(await screen.findByRole('heading', { level: 1, name: 'Chat of the team' })).toBeVisible();
    expect(screen.getByText('https://example.com/hook')).toBeVisible();
    const table = within(await screen.findByRole('table', { name: 'Last messages' }));
    const rows = table.getAllByRole('row').map((row) => within(row));
    expect(rows[1]?.getByText('Tried again')).toBeVisible();
    expect(rows[1]?.getByText('HTTP 503')).toBeVisible();
    expect(rows[1]?.getByText('come later')).toBeVisible();
    expect(rows[1]?.getByText('1,234 ms')).toBeVisible();
    expect(rows[1]?.getByText(/^in \d+ years$/)).toBeVisible();
    expect(rows[2]?.getByText('On its way')).toBeVisible();
    expect(rows[3]?.getByText('Dropped')).toBeVisible();
    expect(rows[4]?.getByText('A test')).toBeVisible();
    expect(rows[4]?.getByText('Failed')).toBeVisible();
    expect(rows[5]?.getByText('Delivered')).toBeVisible();
    expect(rows[5]?.getByText('{"type":"event.created"}')).toBeInTheDocument();
  });

  it('shows more messages on request', async () => {
    const server = mockServer({
      [list]: () => json({ webhooks: [aWebhook()], event_types: eventTypes }),
      [messages]: ({ query }) =>
        query.get('cursor') === null
          ? json({ deliveries: [aWebhookDelivery()], next_cursor: 'd1' })
          : json({ deliveries: [aWebhookDelivery({ id: 'd0' })], next_cursor: null }),
    });
    renderWebhook();
    await press('Show more');
    const table = within(await screen.findByRole('table', { name: 'Last messages' }));
    expect(await table.findAllByText('HTTP 204')).toHaveLength(2);
    expect(server.callsTo(messages).at(-1)?.query.get('cursor')).toBe('d1');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('is edited', async () => {
    const server = serve();
    renderWebhook();
    await press('Edit');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit webhook' }));
    const description = dialog.getByRole('textbox', { name: 'Description' });
    expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue('https://example.com/hook');
    expect(dialog.getByRole('checkbox', { name: 'An event is created' })).toBeChecked();
    await userEvent.clear(description);
    await userEvent.type(description, 'Accounting');
    await userEvent.click(dialog.getByRole('checkbox', { name: /Photos become searchable/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('The webhook is saved.')).toBeVisible();
    expect(server.callsTo(`PUT ${one}`)[0]?.body).toEqual({
      url: 'https://example.com/hook',
      description: 'Accounting',
      event_types: ['event.created', 'photo.indexed'],
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'Accounting' })).toBeVisible();
  });

  it('sends a test, and says what stood in the way', async () => {
    const server = serve();
    renderWebhook();
    await press('Send a test');
    expect(await screen.findByText('A test is on its way. Its answer is in the list below.')).toBeVisible();
    expect(server.callsTo(`POST ${one}/test`)).toHaveLength(1);
  });

  it('gets a new secret after a question', async () => {
    const server = serve(aWebhook({ former_secret_until: '2026-11-24T10:00:00Z' }));
    renderWebhook();
    expect(await screen.findByText(/The former secret signs too until .*24 Nov 2026/)).toBeVisible();
    await press('New secret');
    expect(server.callsTo(`POST ${one}/secret`)).toHaveLength(0);
    await confirm('Make a new secret?', 'Make a new secret');
    expect(await screen.findByText('whsec_bmV3')).toBeVisible();
    await press('Done');
    expect(screen.queryByText('whsec_bmV3')).toBeNull();
  });

  it('is switched off and on', async () => {
    const server = serve();
    renderWebhook();
    await press('Switch off');
    await confirm('Switch the webhook off?', 'Switch off');
    expect(await screen.findByText('The webhook is switched off.')).toBeVisible();
    expect(await screen.findByText('Nothing is sent, and nothing is kept for later.')).toBeVisible();
    await press('Switch on');
    expect(await screen.findByText('The webhook is on.')).toBeVisible();
    const bodies = server.callsTo(`PUT ${one}/switch`).map(({ body }) => body);
    expect(bodies).toEqual([{ on: false }, { on: true }]);
  });

  it.each([
    ['failures', /no message came through for five days/],
    ['gone', /it answered that it is gone/],
  ] as const)('says why it was switched off: %s', async (by, text) => {
    serve(aWebhook({ disabled: { at: '2026-11-22T10:00:00Z', by } }));
    renderWebhook();
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Switch on' })).toBeVisible();
  });

  it('is deleted after a question', async () => {
    const server = serve();
    renderWebhook();
    await press('Delete webhook');
    expect(server.callsTo(`DELETE ${one}`)).toHaveLength(0);
    await confirm('Delete the webhook?', 'Delete webhook');
    expect(await screen.findByText(`arrived at ${webhooks}`)).toBeVisible();
    expect(server.callsTo(`DELETE ${one}`)).toHaveLength(1);
  });

  it('stays as it is when a change is refused', async () => {
    mockServer({
      [list]: () => json({ webhooks: [aWebhook()], event_types: eventTypes }),
      [messages]: () => json({ deliveries: [], next_cursor: null }),
      [`DELETE ${one}`]: () => errorResponse(503),
    });
    renderWebhook();
    expect(await screen.findByText('No messages yet')).toBeVisible();
    await press('Delete webhook');
    await confirm('Delete the webhook?', 'Delete webhook');
    expect(await screen.findByText('This could not be done. Please try again.')).toBeVisible();
    expect(screen.getByRole('dialog', { name: 'Delete the webhook?' })).toBeVisible();
  });

  it('may be deleted already', async () => {
    mockServer({
      [list]: () => json({ webhooks: [], event_types: eventTypes }),
      [messages]: () => json({ deliveries: [], next_cursor: null }),
    });
    renderWebhook();
    expect(await screen.findByText('There is no such webhook. It may have been deleted.')).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: 'All webhooks' }));
    expect(await screen.findByText(`arrived at ${webhooks}`)).toBeVisible();
  });

  it('asks again for what could not be loaded', async () => {
    const answers = [
      () => errorResponse(500),
      () => json({ webhooks: [aWebhook()], event_types: eventTypes }),
    ];
    mockServer({
      [list]: () => (answers.shift() ?? (() => errorResponse(500)))(),
      [messages]: () => errorResponse(500),
    });
    renderWebhook();
    expect(await screen.findByText('The webhooks could not be loaded. Please try again.')).toBeVisible();
    await press('Try again');
    expect(await screen.findByRole('heading', { level: 1, name: 'Chat of the team' })).toBeVisible();
    expect(await screen.findByText('The messages could not be loaded. Please try again.')).toBeVisible();
  });
});
