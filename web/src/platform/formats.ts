import { i18n } from '@lingui/core';
import { english, type Language } from './i18n/languages';

/** With grouping, in the digits of the language. */
export const formatCount = (value: number): string => i18n.number(value, { maximumFractionDigits: 0 });

/** The parts of a date as English writes it, by their names. */
export function partsOf(date: Date, options: Intl.DateTimeFormatOptions): Record<string, string> {
  const parts = new Intl.DateTimeFormat('en-GB', options).formatToParts(date);
  return Object.fromEntries(parts.map((part) => [part.type, part.value]));
}

/** Parses YYYY-MM-DD as UTC, so that no time zone shifts the day; null if it is invalid. */
export function calendarDay(date: string): Date | null {
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
