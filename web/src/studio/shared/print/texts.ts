import { type Messages, setupI18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Language } from '../../../platform/i18n/languages';
import { loaderOf } from '../../../platform/i18n/startLanguage';

const load = loaderOf(import.meta.glob<Messages>('../../../../locales/*/print.po', { import: 'messages' }));

/** What is sent to guests before the link of an event, in a language that need not be that of the page. */
export async function invitationIn(language: Language, name: string): Promise<string> {
  const [, selfie = '', photos = ''] = await stepsIn(language);
  return `${name}\n${selfie} · ${photos}`;
}

/** What a guest does, in a language that need not be that of the page. */
export async function stepsIn(language: Language): Promise<readonly string[]> {
  const i18n = setupI18n({ locale: language.tag, messages: { [language.tag]: await load(language) } });
  return [
    i18n._(msg({ comment: 'on a printed poster', message: 'Scan the code' })),
    i18n._(msg({ comment: 'on a printed poster', message: 'Take a selfie' })),
    i18n._(msg({ comment: 'on a printed poster', message: 'Get the photos you are in' })),
  ];
}
