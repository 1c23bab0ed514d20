import { i18n } from '@lingui/core';

/** A text of the list of in-app browsers in the language of the page, if the list is the shipped one. */
export const translated = (text: string): string => (text in i18n.messages ? i18n._(text) : text);
