import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';

/** The refusals of this feature, for translation; see `shared/api/refusalMessages.ts`. */
export const refusalMessages: readonly MessageDescriptor[] = [
  defineMessage({
    id: 'refusal.subscription_token_expired',
    message: 'Too much time has passed. Please search again, and then ask to be told.',
  }),
  defineMessage({
    id: 'refusal.subscription_link_unknown',
    message: 'This link is not complete. Please open it from the mail again.',
  }),
  defineMessage({
    id: 'refusal.subscription_link_expired',
    message: 'This link has expired. Please search again, and then ask to be told.',
  }),
  defineMessage({
    id: 'refusal.subscriptions_not_offered',
    message: 'This event does not tell guests of new photos',
  }),
];
