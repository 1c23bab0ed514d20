import { act } from '@testing-library/react';
import { expect, vi } from 'vitest';

/** Lets fake time pass in steps, between which answers are read and effects run in real time, at most ten minutes. */
export async function passUntil(isOver: () => boolean) {
  for (let second = 0; second < 600 && !isOver(); second += 1) {
    await act(() => vi.advanceTimersByTimeAsync(1000));
  }
  expect(isOver()).toBe(true);
}
