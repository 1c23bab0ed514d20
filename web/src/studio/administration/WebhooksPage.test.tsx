import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { aWebhook, aWebhookDelivery } from '../shared/webhooks/testing';
import { signInAsAdministrator } from './testing';
import WebhooksPage from './WebhooksPage';

const path = '/admin/administration/webhooks';
const list = 'GET /api/administration/webhooks';
const add = 'POST /api/administration/webhooks';
const eventTypes = ['event.created', 'photo.indexed', 'search.done'];

beforeEach(signInAsAdministrator);

describe('the webhooks', () => {
  it('says where messages go, what they tell and how they stand', async () => {
    const unanswered = aWebhookDelivery({
      state: 'waiting',
      last_attempt: { at: '2026-11-22T10:00:00Z', duration_ms: 15_000, status: null, answer: 'no answer' },
    });
    mockServer({
      [list]: () =>
        json({
          webhooks: [
            aWebhook(),
            aWebhook({
              id: 'w2',
              url: 'https://b.example/',
              description: '',
              failing_since: '2026-11-22T10:00:00Z',
              newest: unanswered,
            }),
            aWebhook({
              id: 'w3',
              url: 'https://c.example/',
              event_types: ['new.type'],
              disabled: { at: '2026-11-22T10:00:00Z', by: 'failures' },
              newest: null,
            }),
          ],
          event_types: eventTypes,
        }),
    });
    renderScreen(<WebhooksPage />, path);
    const table = within(await screen.findByRole('table', { name: 'Webhooks' }));
    const rows = table.getAllByRole('row').map((row) => within(row));
    const link = rows[1]?.getByRole('link', { name: 'https://example.com/hook' });
    expect(link).toHaveAttribute('href', `${path}/w1`);
    expect(rows[1]?.getByText('Chat of the team')).toBeVisible();
    expect(rows[1]?.getByText('An event is created')).toBeVisible();
    expect(rows[1]?.getByText('On')).toBeVisible();
    expect(rows[1]?.getByText('HTTP 204')).toBeVisible();
    expect(rows[2]?.getByText('Failing')).toBeVisible();
    expect(rows[2]?.getByText('No answer')).toBeVisible();
    expect(rows[3]?.getByText('Switched off')).toBeVisible();
    // A newer server may have types that this page does not know.
    expect(rows[3]?.getByText('new.type')).toBeVisible();
  });

  it('adds one and shows its secret once', async () => {
    const webhooks = [] as ReturnType<typeof aWebhook>[];
    const server = mockServer({
      [list]: () => json({ webhooks, event_types: eventTypes }),
      [add]: () => {
        webhooks.push(aWebhook());
        return json({ ...aWebhook(), secret: 'whsec_c2VjcmV0' }, 201);
      },
    });
    renderScreen(<WebhooksPage />, path);
    expect(await screen.findByText('No webhooks')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Add webhook' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Add webhook' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Add webhook' }));
    expect(dialog.getByText('Please enter an address that begins with https://')).toBeVisible();
    expect(dialog.getByText('Please choose at least one event')).toBeVisible();
    expect(dialog.getByRole('group', { name: 'Tell when' })).toHaveAccessibleDescription(
      'Please choose at least one event',
    );
    expect(server.callsTo(add)).toHaveLength(0);

    const address = dialog.getByRole('textbox', { name: 'Address' });
    await userEvent.clear(address);
    await userEvent.type(address, ' https://example.com/hook ');
    await userEvent.type(dialog.getByRole('textbox', { name: 'Description' }), 'Chat of the team');
    await userEvent.click(dialog.getByRole('checkbox', { name: /Guests search/ }));
    await userEvent.click(dialog.getByRole('checkbox', { name: /Photos become searchable/ }));
    await userEvent.click(dialog.getByRole('checkbox', { name: /Guests search/ }));
    await userEvent.click(dialog.getByRole('checkbox', { name: 'An event is created' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Add webhook' }));
    expect(await screen.findByText('whsec_c2VjcmV0')).toBeVisible();
    expect(server.callsTo(add)[0]?.body).toEqual({
      url: 'https://example.com/hook',
      description: 'Chat of the team',
      event_types: ['event.created', 'photo.indexed'],
    });
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByText('whsec_c2VjcmV0')).toBeNull();
    expect(await screen.findByRole('table', { name: 'Webhooks' })).toBeVisible();
  });

  it('keeps what was entered when it is refused', async () => {
    const refusal = 'There are 20 webhooks already. Please delete one first.';
    mockServer({
      [list]: () => json({ webhooks: [], event_types: eventTypes }),
      [add]: () => errorResponse(409, refusal, 'webhooks_too_many'),
    });
    renderScreen(<WebhooksPage />, path);
    await userEvent.click(await screen.findByRole('button', { name: 'Add webhook' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Add webhook' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Address' }), 'example.com');
    await userEvent.click(dialog.getByRole('checkbox', { name: 'An event is created' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Add webhook' }));
    expect(await dialog.findByText(refusal)).toBeVisible();
    expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue('https://example.com');
  });

  it('asks again when they could not be loaded', async () => {
    const answers = [() => errorResponse(500), () => json({ webhooks: [], event_types: eventTypes })];
    mockServer({ [list]: () => (answers.shift() ?? (() => errorResponse(500)))() });
    renderScreen(<WebhooksPage />, path);
    expect(await screen.findByText('The webhooks could not be loaded. Please try again.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add webhook' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No webhooks')).toBeVisible();
  });
});
