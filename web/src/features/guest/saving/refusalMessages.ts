import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';

/** The refusals of this feature, for translation; see `shared/api/refusalMessages.ts`. */
export const refusalMessages: readonly MessageDescriptor[] = [
  defineMessage({
    id: 'refusal.originals_not_offered',
    message: 'The photographer of this event offers photos in web size only.',
  }),
  defineMessage({
    id: 'refusal.downloads_not_offered',
    message: 'The photographer of this event does not offer downloads.',
  }),
];
