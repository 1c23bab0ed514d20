import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';

/** The refusals of this feature, for translation; see `shared/api/refusalMessages.ts`. */
export const refusalMessages: readonly MessageDescriptor[] = [
  defineMessage({
    id: 'refusal.objection_token_expired',
    message: 'Too much time has passed. Please take a new selfie.',
  }),
  defineMessage({
    id: 'refusal.objection_nothing_to_hide',
    message: 'There are no photos of you that can be hidden.',
  }),
  defineMessage({
    id: 'refusal.objection_overruled',
    message: 'The photographer has decided on this before. Please ask the photographer.',
  }),
];
