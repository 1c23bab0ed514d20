import { i18n } from '@lingui/core';
import { calendarDay, partsOf } from './formats';
import { english } from './i18n/languages';

const shortDay = { day: 'numeric', month: 'short', year: 'numeric' } as const;

function formatShort(moment: Date, options: Intl.DateTimeFormatOptions): string {
  if (i18n.locale !== english.tag) return i18n.date(moment, options);
  const part = partsOf(moment, options);
  return `${part['day']} ${part['month']?.slice(0, 3)} ${part['year']}`;
}

/** '14 Nov 2026' from YYYY-MM-DD in English, as the language writes it in others. */
export function formatShortDate(date: string): string {
  const day = calendarDay(date);
  return day === null ? date : formatShort(day, { ...shortDay, timeZone: 'UTC' });
}

/** The same from an RFC 3339 time, in this time zone, or the reader's. */
export function formatDayOf(time: string, timeZone?: string): string {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? time : formatShort(moment, { ...shortDay, timeZone });
}
