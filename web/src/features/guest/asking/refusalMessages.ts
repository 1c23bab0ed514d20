import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';

/** The refusals of this feature, for translation; see `shared/api/refusalMessages.ts`. */
export const refusalMessages: readonly MessageDescriptor[] = [
  defineMessage({
    id: 'refusal.question_too_long',
    message: 'Message must be at most 1,000 characters long',
  }),
  defineMessage({
    id: 'refusal.questions_not_taken',
    message: 'The photographer of this event takes no questions here',
  }),
];
