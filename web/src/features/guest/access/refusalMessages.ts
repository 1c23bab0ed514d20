import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';

/** The refusals of this feature, for translation; see `shared/api/refusalMessages.ts`. */
export const refusalMessages: readonly MessageDescriptor[] = [
  defineMessage({
    id: 'refusal.event_pin_wrong',
    message: 'This is not the PIN of this event. Please check it and try again.',
  }),
];
