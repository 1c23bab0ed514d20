import { describe, expect, it } from 'vitest';
import { formatRupees } from './amounts';
import { formatDuration } from './durations';
import { formatBytes } from './bytes';
import { formatCount, formatLongDate } from './formats';
import { formatShortDate } from './shortDates';

describe('dates of events', () => {
  it('have weekday, day, month and year, whatever the time zone [EVT014]', () => {
    expect(formatLongDate('2026-11-14')).toBe('Saturday, 14 November 2026');
    expect(formatLongDate('2026-01-01')).toBe('Thursday, 1 January 2026');
    expect(formatShortDate('2026-11-14')).toBe('14 Nov 2026');
    expect(formatShortDate('2026-09-02')).toBe('2 Sep 2026');
  });

  it('are returned unchanged when they are invalid', () => {
    expect(formatLongDate('soon')).toBe('soon');
    expect(formatShortDate('')).toBe('');
  });
});

describe('numbers', () => {
  it('have the rupee sign and two decimals at most [PAY030] [CONST006]', () => {
    expect(formatRupees(1618)).toBe('₹1,618');
    expect(formatRupees(19.99)).toBe('₹19.99');
    expect(formatRupees(-200)).toBe('−₹200');
  });

  it('have thousands separators', () => {
    expect(formatCount(3482)).toBe('3,482');
  });

  it('are formatted as sizes and durations', () => {
    expect(formatBytes(10_276_045)).toBe('9.8 MB');
    expect(formatBytes(900)).toBe('1 kB');
    expect(formatBytes(1_000_000)).toBe('977 kB');
    expect(formatBytes(1_034_240)).toBe('1.0 MB');
    expect(formatBytes(3_221_225_472)).toBe('3.0 GB');
    expect(formatDuration(20)).toBe('under a minute');
    expect(formatDuration(118)).toBe('about 2 min');
    expect(formatDuration(3900)).toBe('about 1 h 5 min');
  });
});
