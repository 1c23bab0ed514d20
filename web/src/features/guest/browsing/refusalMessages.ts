import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';

/** The refusals of this feature, for translation; see `shared/api/refusalMessages.ts`. */
export const refusalMessages: readonly MessageDescriptor[] = [
  defineMessage({
    id: 'refusal.browsing_not_allowed',
    message:
      'The photographer of this event shows guests the photos they are in. Take a selfie to find yours.',
  }),
];
