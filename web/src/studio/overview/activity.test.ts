import { describe, expect, it } from 'vitest';
import { busiestDay, lastDays, totalOf } from './activity';

const now = Date.parse('2026-11-20T23:30:00Z');

describe('the last 30 days', () => {
  it('end today in UTC, have no gaps, and leave out what is older', () => {
    const days = lastDays(
      [
        { date: '2026-10-21', uploads: 9, searches: 9 },
        { date: '2026-10-22', uploads: 1, searches: 0 },
        { date: '2026-11-20', uploads: 40, searches: 7 },
      ],
      now,
    );
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({ date: '2026-10-22', uploads: 1, searches: 0 });
    expect(days[1]).toEqual({ date: '2026-10-23', uploads: 0, searches: 0 });
    expect(days.at(-1)).toEqual({ date: '2026-11-20', uploads: 40, searches: 7 });
    expect(totalOf(days, 'uploads')).toBe(41);
    expect(busiestDay(days, 'searches')?.date).toBe('2026-11-20');
  });

  it('have no busiest day when nothing happened', () => {
    expect(busiestDay(lastDays([], now), 'uploads')).toBeUndefined();
  });
});
