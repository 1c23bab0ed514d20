import { describe, expect, it } from 'vitest';
import { leftToPay } from './amounts';

describe('what is left to pay', () => {
  it('is never below 0, where nothing is to be paid [PAY023]', () => {
    expect(leftToPay(999, 0)).toBe(999);
    expect(leftToPay(999, 200)).toBe(799);
    expect(leftToPay(999, 999)).toBe(0);
    expect(leftToPay(999, 1200)).toBe(0);
  });
});
