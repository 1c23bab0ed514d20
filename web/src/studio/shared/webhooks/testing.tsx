import type { Webhook, WebhookDelivery } from './webhooks';

export const aWebhookDelivery = (overrides: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: 'd1',
  message_id: 'msg_d1',
  event_type: 'event.created',
  payload: '{"type":"event.created"}',
  state: 'delivered',
  attempts: 1,
  created_at: '2026-11-22T10:00:00Z',
  next_attempt_at: null,
  last_attempt: { at: '2026-11-22T10:00:01Z', duration_ms: 123, status: 204, answer: '' },
  ...overrides,
});

export const aWebhook = (overrides: Partial<Webhook> = {}): Webhook => ({
  id: 'w1',
  url: 'https://example.com/hook',
  description: 'Chat of the team',
  event_types: ['event.created'],
  disabled: null,
  failing_since: null,
  former_secret_until: null,
  created_at: '2026-11-20T10:00:00Z',
  newest: aWebhookDelivery(),
  ...overrides,
});
