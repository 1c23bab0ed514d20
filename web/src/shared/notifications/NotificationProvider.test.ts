import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type NotificationCentre, useNotifications } from './context';
import { NotificationProvider } from './NotificationProvider';

let result: { readonly current: NotificationCentre };

const titles = () => result.current.notifications.map(({ title }) => title);
const advance = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const startDeletion = () =>
  result.current.notify({
    type: 'deletion',
    title: 'Deleting',
    message: 'M',
    eventId: 'e1',
    eventName: 'Sangeet',
  });

beforeEach(() => {
  vi.useFakeTimers();
  ({ result } = renderHook(useNotifications, { wrapper: NotificationProvider }));
});

describe('the notification provider', () => {
  it('dismisses success after 8 s, error after 12 s and upload after 6 s [NOTE018] [NOTE019] [NOTE020] [CONST023]', async () => {
    act(() => {
      for (const type of ['success', 'error', 'upload'] as const) {
        result.current.notify({ type, title: type, message: 'M' });
      }
    });
    await advance(5999);
    expect(titles()).toEqual(['upload', 'error', 'success']);
    await advance(1);
    expect(titles()).toEqual(['error', 'success']);
    await advance(1999);
    expect(titles()).toEqual(['error', 'success']);
    await advance(1);
    expect(titles()).toEqual(['error']);
    await advance(3999);
    expect(titles()).toEqual(['error']);
    await advance(1);
    expect(titles()).toEqual([]);
  });

  it.each(['completed', 'failed'] as const)(
    'keeps a running deletion and removes it 5 s after it %s [NOTE021] [NOTE022] [NOTE023] [CONST025] (X06)',
    async (status) => {
      act(startDeletion);
      await advance(300_000);
      expect(titles()).toEqual(['Deleting']);
      act(() => result.current.endDeletion('e1', status, 'Over', 'N'));
      await advance(4999);
      expect(titles()).toEqual(['Over']);
      await advance(1);
      expect(titles()).toEqual([]);
    },
  );

  it('purges what is older than an hour, checked every 30 min [NOTE024] [NOTE025] [CONST024]', async () => {
    await advance(1);
    act(startDeletion);
    await advance(3_599_999);
    expect(titles()).toEqual(['Deleting']);
    await advance(1_799_999);
    expect(titles()).toEqual(['Deleting']);
    await advance(1);
    expect(titles()).toEqual([]);
  });
});
