import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';

/**
 * The texts of the shipped list of in-app browsers, for translation; they are their own ids. No code imports these. The
 * list of an operator may have others, which stay as they are.
 */
export const inAppTexts: readonly MessageDescriptor[] = [
  // The name of an app that the list does not know.
  defineMessage({ id: 'the app', message: 'the app' }),
  defineMessage({
    id: 'Look for ‘Open in browser’ in the app’s menu.',
    message: 'Look for ‘Open in browser’ in the app’s menu.',
  }),
  defineMessage({
    id: 'Tap ⋮ at the top right, then ‘Open in default browser’.',
    message: 'Tap ⋮ at the top right, then ‘Open in default browser’.',
  }),
  defineMessage({
    id: 'Tap ⋮ or ⋯ at the top right, then ‘Open in browser’.',
    message: 'Tap ⋮ or ⋯ at the top right, then ‘Open in browser’.',
  }),
  defineMessage({
    id: 'Tap ⋯ at the bottom right, then ‘Open in browser’.',
    message: 'Tap ⋯ at the bottom right, then ‘Open in browser’.',
  }),
  defineMessage({
    id: 'Tap ⋯ at the bottom right, then ‘Open in external browser’.',
    message: 'Tap ⋯ at the bottom right, then ‘Open in external browser’.',
  }),
  defineMessage({
    id: 'Tap ⋯ at the top right, then ‘Open in browser’.',
    message: 'Tap ⋯ at the top right, then ‘Open in browser’.',
  }),
  defineMessage({
    id: 'Tap ⋯ at the top right, then ‘Open in external browser’.',
    message: 'Tap ⋯ at the top right, then ‘Open in external browser’.',
  }),
];
