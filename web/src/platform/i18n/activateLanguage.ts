import { i18n, type Messages } from '@lingui/core';
import type { Language } from './languages';

/** Makes a language that of the document: of its messages, dates and numbers, and of what assistive technology reads. */
export function activateLanguage({ tag, formats, direction }: Language, messages: Messages): void {
  i18n.loadAndActivate({ locale: tag, locales: formats, messages });
  document.documentElement.lang = tag;
  document.documentElement.dir = direction;
}
