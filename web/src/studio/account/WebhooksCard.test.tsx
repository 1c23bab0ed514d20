import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { aWebhook, aWebhookDelivery } from '../shared/webhooks/testing';
import type { Webhook } from '../shared/webhooks/webhooks';
import WebhookPage from './WebhookPage';
import { WebhooksCard } from './WebhooksCard';

const list = 'GET /api/auth/webhooks';
const add = 'POST /api/auth/webhooks';
const one = '/api/auth/webhooks/w1';
const eventTypes = ['photo.searchable', 'event.complete', 'selection.done', 'guest.waiting'];
const own = aWebhook({ description: '', event_types: ['event.complete'] });

beforeEach(signIn);

describe('the webhooks of an account', () => {
  it('has a line and one button until there is one', async () => {
    mockServer({ [list]: () => json({ webhooks: [], event_types: eventTypes }) });
    renderScreen(<WebhooksCard />, '/admin/account');
    expect(await screen.findByRole('button', { name: 'Add webhook' })).toBeVisible();
    expect(
      screen.getByText('With a webhook another program is told what happens in your events.'),
    ).toBeVisible();
    expect(screen.getAllByRole('button')).toHaveLength(1);
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('adds one and shows its secret once [HOOK046]', async () => {
    let webhooks: Webhook[] = [];
    const server = mockServer({
      [list]: () => json({ webhooks, event_types: eventTypes }),
      [add]: () => {
        webhooks = [own];
        return json({ ...own, secret: 'whsec_c2VjcmV0' }, 201);
      },
    });
    renderScreen(<WebhooksCard />, '/admin/account');
    await userEvent.click(await screen.findByRole('button', { name: 'Add webhook' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Add webhook' }));
    expect(dialog.getAllByRole('checkbox')).toHaveLength(eventTypes.length);
    const address = dialog.getByRole('textbox', { name: 'Address' });
    await userEvent.clear(address);
    await userEvent.type(address, 'https://example.com/hook');
    await userEvent.click(dialog.getByRole('checkbox', { name: 'An event is complete' }));
    await userEvent.click(dialog.getByRole('checkbox', { name: /^A guest waits for me/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Add webhook' }));
    expect(await screen.findByText('whsec_c2VjcmV0')).toBeVisible();
    expect(server.callsTo(add)[0]?.body).toEqual({
      url: 'https://example.com/hook',
      description: '',
      event_types: ['event.complete', 'guest.waiting'],
    });
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByText('whsec_c2VjcmV0')).toBeNull();
    const row = within(await screen.findByRole('listitem'));
    expect(row.getByText('example.com')).toBeVisible();
    expect(row.getByText('https://example.com/hook')).toBeVisible();
    expect(row.getByText('On')).toBeVisible();
    expect(row.getByRole('button', { name: 'Open example.com' })).toBeVisible();
  });

  it('says why one could not be added, and that they could not be loaded', async () => {
    const refusal = 'You have 5 webhooks already. Please delete one first.';
    const answers = [() => json({ webhooks: [own], event_types: eventTypes })];
    mockServer({
      [list]: () => (answers.shift() ?? (() => errorResponse(500)))(),
      [add]: () => errorResponse(409, refusal, 'own_webhooks_too_many'),
    });
    const { unmount } = renderScreen(<WebhooksCard />, '/admin/account');
    await userEvent.click(await screen.findByRole('button', { name: 'Add webhook' }));
    const dialog = within(screen.getByRole('dialog'));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Address' }), 'example.com');
    await userEvent.click(dialog.getByRole('checkbox', { name: 'An event is complete' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Add webhook' }));
    expect(await dialog.findByText(refusal)).toBeVisible();
    unmount();
    renderScreen(<WebhooksCard />, '/admin/account');
    expect(await screen.findByText('The webhooks could not be loaded. Please try again.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add webhook' })).toBeNull();
  });
});

describe('the screen of one of them', () => {
  it('tries it out, shows its messages and deletes it', async () => {
    let webhooks = [aWebhook({ disabled: { at: '2026-11-20T10:00:00Z', by: 'photographer' } })];
    const server = mockServer({
      [list]: () => json({ webhooks, event_types: eventTypes }),
      [`GET ${one}/deliveries`]: () =>
        json({ deliveries: [aWebhookDelivery({ event_type: 'selection.done' })], next_cursor: null }),
      [`POST ${one}/test`]: () => json(aWebhookDelivery({ state: 'waiting' }), 202),
      [`PUT ${one}/switch`]: () => {
        webhooks = [aWebhook()];
        return json(webhooks[0]);
      },
      [`DELETE ${one}`]: () => json({ success: true }),
    });
    renderScreen(<WebhookPage />, '/admin/account/webhooks/w1', undefined, '/admin/account/webhooks/:id');
    expect(await screen.findByText('A client has finished choosing photos')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Profile Settings' })).toHaveAttribute('href', '/admin/account');
    await userEvent.click(screen.getByRole('button', { name: 'Send a test' }));
    await waitFor(() => expect(server.callsTo(`POST ${one}/test`)).toHaveLength(1));
    await userEvent.click(screen.getByRole('button', { name: 'Switch on' }));
    expect(await screen.findByRole('button', { name: 'Switch off' })).toBeVisible();
    expect(server.callsTo(`PUT ${one}/switch`)[0]?.body).toEqual({ on: true });
    await userEvent.click(screen.getByRole('button', { name: 'Delete webhook' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Delete the webhook?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Delete webhook' }));
    await waitFor(() => expect(server.callsTo(`DELETE ${one}`)).toHaveLength(1));
  });
});
