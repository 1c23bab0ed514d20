import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SnackbarProvider } from '../../ui/SnackbarProvider';
import { searchQuery, searchResult } from '../testing';
import type { SearchState } from './search';
import type { FaceSearch } from './useFaceSearch';
import { type OnceMore, useNewMatches } from './useNewMatches';

const wrapper = ({ children }: { children: ReactNode }) => <SnackbarProvider>{children}</SnackbarProvider>;

/** Of an event of 300 photos, less those that were deleted. Another object each time, as the page has it. */
const polled = (indexed: number, waiting = 0) => ({ indexed, waiting, total: indexed + waiting });
const query = searchQuery();
const resultAt = (indexed: number): SearchState => ({
  phase: 'results',
  query,
  result: searchResult({ indexing: polled(indexed) }),
});

/** A page with these results; `page.poll` shows it how far the photos of the event are. */
function open(state: SearchState, indexed: number, waiting = 0) {
  const again = vi.fn<OnceMore>(() => new Promise(() => undefined));
  const mergeResult = vi.fn();
  const search = (shown: SearchState) => ({ state: shown, mergeResult }) as unknown as FaceSearch;
  const { rerender } = renderHook(
    ({ shown, indexing }) => useNewMatches('aanya-rohan', search(shown), indexing, undefined, again),
    { wrapper, initialProps: { shown: state, indexing: polled(indexed, waiting) } },
  );
  return {
    again,
    poll: async (shown: SearchState, now: number, left = 0) => {
      rerender({ shown, indexing: polled(now, left) });
      // Each poll is drawn more than once.
      rerender({ shown, indexing: polled(now, left) });
      await act(() => vi.advanceTimersByTimeAsync(40_000));
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('photos that arrive after others were deleted are searched', async () => {
  // [FACE563]
  const state = resultAt(300);
  const { again, poll } = open(state, 300);
  await poll(state, 250);
  expect(again).not.toHaveBeenCalled();
  await poll(state, 290);
  expect(again).toHaveBeenCalledOnce();
});

test('so are those after a deletion that restored results find', async () => {
  // [FACE563]
  const state = resultAt(300);
  const { again, poll } = open(state, 250);
  await poll(state, 250);
  expect(again).not.toHaveBeenCalled();
  await poll(state, 290);
  expect(again).toHaveBeenCalledOnce();
});

test('what was polled before a search is no deletion', async () => {
  // [FACE563]
  const before: SearchState = { phase: 'capture', previous: null, adding: false };
  const { again, poll } = open(before, 280, 20);
  const state = resultAt(300);
  await poll(state, 280, 20);
  await poll(state, 300);
  expect(again).not.toHaveBeenCalled();
  // A photo that is taken out of the results changes nothing of what was searched.
  await poll(state, 250);
  if (state.phase !== 'results') throw new Error('no results');
  const less = { ...state, result: { ...state.result, matches: state.result.matches.slice(1) } };
  await poll(less, 250);
  await poll(less, 251);
  expect(again).toHaveBeenCalledOnce();
});
