import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { anEvent } from '../../../testing/fixtures';
import { FaceSearchCard } from './FaceSearchCard';

afterEach(() => vi.useRealTimers());

it('says how long it takes by what became searchable in the last minute, once that is known [UPL247]', async () => {
  vi.useFakeTimers();
  const card = (indexed: number) => (
    <FaceSearchCard
      event={anEvent({ indexing: { indexed, waiting: 300 - indexed, failed: 0, total: 300 } })}
      uploaded={0}
      uploading={false}
    />
  );
  const { rerender } = render(card(0));
  expect(screen.getByText('0 of 300 photos searchable')).toBeVisible();
  const pass = async (indexed: number, seconds: number) => {
    rerender(card(indexed));
    await act(() => vi.advanceTimersByTimeAsync(1000 * seconds));
  };
  await pass(0, 5);
  expect(screen.getByText('0 of 300 photos searchable')).toBeVisible();
  // One a second.
  for (const indexed of [5, 10, 15]) await pass(indexed, 5);
  expect(screen.getByText('15 of 300 photos searchable, all in about 5 min')).toBeVisible();
  // Half of that from now on: what was before is soon forgotten.
  for (let second = 5; second <= 120; second += 5) await pass(15 + Math.floor(second / 2), 5);
  expect(screen.getByText('75 of 300 photos searchable, all in about 8 min')).toBeVisible();
  await pass(300, 5);
  expect(screen.getByText('300 of 300 photos searchable')).toBeVisible();
});
