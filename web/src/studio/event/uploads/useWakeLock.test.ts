import { renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useWakeLock } from './useWakeLock';

afterEach(() => {
  Reflect.deleteProperty(navigator, 'wakeLock');
});

function mockWakeLock(request: () => Promise<unknown>) {
  const wakeLock = { request: vi.fn(request) };
  Object.defineProperty(navigator, 'wakeLock', { value: wakeLock, configurable: true });
  return wakeLock;
}

it('holds a wake lock while active, and requests it again when the page becomes visible', async () => {
  const release = vi.fn(() => Promise.resolve());
  const { request } = mockWakeLock(() => Promise.resolve({ release }));
  const { rerender, unmount } = renderHook(({ active }) => useWakeLock(active), {
    initialProps: { active: false },
  });
  expect(request).not.toHaveBeenCalled();
  rerender({ active: true });
  await waitFor(() => expect(request).toHaveBeenCalledTimes(1));
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(request).toHaveBeenCalledTimes(2));
  rerender({ active: false });
  await waitFor(() => expect(release).toHaveBeenCalled());
  document.dispatchEvent(new Event('visibilitychange'));
  expect(request).toHaveBeenCalledTimes(2);
  unmount();
});

it('releases a lock that is granted after unmount', async () => {
  const release = vi.fn(() => Promise.resolve());
  let grant: (lock: unknown) => void = () => undefined;
  mockWakeLock(() => new Promise((resolve) => (grant = resolve)));
  const { unmount } = renderHook(() => useWakeLock(true));
  unmount();
  grant({ release });
  await waitFor(() => expect(release).toHaveBeenCalledTimes(1));
});

it('tolerates missing support and a denied request', async () => {
  renderHook(() => useWakeLock(true)).unmount();
  const { request } = mockWakeLock(() => Promise.reject(new DOMException('low battery', 'NotAllowedError')));
  const { unmount } = renderHook(() => useWakeLock(true));
  await waitFor(() => expect(request).toHaveBeenCalled());
  unmount();
});
