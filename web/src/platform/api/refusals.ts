import { i18n } from '@lingui/core';
import { english } from '../i18n/languages';

/** The content of an error response. */
export interface ErrorDetails {
  message?: string;
  code?: string;
  /** Seconds. */
  retryAfter?: number;
  /** The error body. */
  body?: unknown;
}

/** As the server says it: seconds up to 90, then minutes. */
const durationText = (seconds: number): string =>
  seconds <= 90
    ? i18n.number(seconds, { style: 'unit', unit: 'second', unitDisplay: 'long' })
    : i18n.number(Math.ceil(seconds / 60), { style: 'unit', unit: 'minute', unitDisplay: 'long' });

/**
 * The text of a refusal in the language of the page, by its code: the server's own texts are English. That text stays
 * where there is no translation, as for codes that a newer server has.
 */
export function refusalText({ message, code, retryAfter }: ErrorDetails): string | undefined {
  const id = `refusal.${code}`;
  if (message === undefined || i18n.locale === english.tag || !(id in i18n.messages)) return message;
  return i18n._(id, { wait: durationText(retryAfter ?? 60) });
}
