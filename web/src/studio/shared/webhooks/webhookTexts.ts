import { t } from '@lingui/core/macro';
import type { ChipTone } from '../../../ui/StateChip';
import type { Webhook, WebhookDelivery } from './webhooks';

/** What an event of webhooks is, in words; the name itself for one that this page does not know. */
export function eventTypeText(type: string): string {
  switch (type) {
    case 'event.created':
      return t`An event is created`;
    case 'photo.indexed':
      return t`Photos become searchable (how many, by minute)`;
    case 'search.done':
      return t`Guests search (how often, by minute)`;
    case 'payment.captured':
      return t`A payment is received`;
    case 'payment.refunded':
      return t`A payment is refunded`;
    case 'photo.searchable':
      return t`Photos of an event become searchable (how many, by minute)`;
    case 'event.complete':
      return t`An event is complete`;
    case 'selection.done':
      return t`A client has finished choosing photos`;
    case 'guest.waiting':
      return t`A guest waits for me: photos to let in, a question, or a request to be removed`;
    case 'webhook.test':
      return t`A test`;
    default:
      return type;
  }
}

interface State {
  label: string;
  tone: ChipTone;
}

/** How a webhook stands. */
export function webhookState({ disabled, failing_since }: Webhook): State {
  if (disabled != null) {
    return {
      label: t({ context: 'webhook', message: 'Switched off' }),
      tone: disabled.by === 'failures' || disabled.by === 'gone' ? 'error' : 'quiet',
    };
  }
  return failing_since == null
    ? { label: t({ context: 'webhook', message: 'On' }), tone: 'success' }
    : { label: t({ context: 'webhook', message: 'Failing' }), tone: 'warning' };
}

/** How a message stands. */
export function deliveryState({ state, attempts }: WebhookDelivery): State {
  switch (state) {
    case 'delivered':
      return { label: t({ context: 'message', message: 'Delivered' }), tone: 'success' };
    case 'failed':
      return { label: t({ context: 'message', message: 'Failed' }), tone: 'error' };
    case 'dropped':
      return { label: t({ context: 'message', message: 'Dropped' }), tone: 'quiet' };
    default:
      return attempts === 0
        ? { label: t({ context: 'message', message: 'On its way' }), tone: 'quiet' }
        : { label: t({ context: 'message', message: 'Tried again' }), tone: 'warning' };
  }
}

/** What the last attempt came to: a status, or that there was no answer. */
export function answerText({ last_attempt }: WebhookDelivery): string {
  if (last_attempt == null) return '–';
  return last_attempt.status == null ? t`No answer` : `HTTP ${last_attempt.status}`;
}
