import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useLazyViews } from './useLazyViews';

test('views are imported after the first paint, before they are needed', async () => {
  const importViews = vi.fn(() => Promise.resolve('views'));
  const { result } = renderHook(() => useLazyViews(importViews, false, 'firstPaint'));
  expect(importViews).not.toHaveBeenCalled();
  await waitFor(() => expect(result.current).toMatchObject({ views: 'views', failed: false }));
});

test('views are imported at the first interaction, or when they are needed', async () => {
  const importViews = vi.fn(() => Promise.resolve('views'));
  const { result } = renderHook(() => useLazyViews(importViews, false, 'interaction'));
  act(() => void window.dispatchEvent(new Event('keydown')));
  await waitFor(() => expect(result.current.views).toBe('views'));
  expect(importViews).toHaveBeenCalledOnce();

  const needed = renderHook(() => useLazyViews(importViews, true, 'interaction'));
  await waitFor(() => expect(needed.result.current.views).toBe('views'));
});

test('an import that failed is said only where the views are needed, and can be tried again', async () => {
  let lost = true;
  const importViews = vi.fn(() =>
    lost ? Promise.reject(new TypeError('network')) : Promise.resolve('views'),
  );
  const { result, rerender } = renderHook(({ needed }) => useLazyViews(importViews, needed, 'firstPaint'), {
    initialProps: { needed: false },
  });
  await waitFor(() => expect(importViews).toHaveBeenCalledOnce());
  expect(result.current).toMatchObject({ views: null, failed: false });
  rerender({ needed: true });
  await waitFor(() => expect(result.current.failed).toBe(true));
  lost = false;
  act(() => result.current.tryAgain());
  await waitFor(() => expect(result.current).toMatchObject({ views: 'views', failed: false }));
});
