import { i18n } from '@lingui/core';
import { english, type Language } from './i18n/languages';

/** With grouping, in the digits of the language. */
export const formatCount = (value: number): string => i18n.number(value, { maximumFractionDigits: 0 });

function partsOf(date: Date, options: Intl.DateTimeFormatOptions): Record<string, string> {
  const parts = new Intl.DateTimeFormat('en-GB', options).formatToParts(date);
  return Object.fromEntries(parts.map((part) => [part.type, part.value]));
}

/** Parses YYYY-MM-DD as UTC, so that no time zone shifts the day; null if it is invalid. */
function calendarDay(date: string): Date | null {
  const day = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? null : day;
}

const wholeDay = { dateStyle: 'full', timeZone: 'UTC' } as const;

/**
 * 'Saturday, 14 November 2026' in English, as the language writes it in others; an invalid date is returned unchanged. The
 * language is that of the page unless another one is given.
 */
export function formatLongDate(date: string, language?: Language): string {
  const day = calendarDay(date);
  if (day === null) return date;
  if ((language?.tag ?? i18n.locale) !== english.tag) {
    return language === undefined
      ? i18n.date(day, wholeDay)
      : new Intl.DateTimeFormat(language.formats, wholeDay).format(day);
  }
  const part = partsOf(day, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${part['weekday']}, ${part['day']} ${part['month']} ${part['year']}`;
}

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
