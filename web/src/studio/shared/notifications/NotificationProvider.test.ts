import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type NotificationCentre, useNotifications } from './context';
import { storedToken } from '../../../platform/storage/storage';
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

let unmount: () => void;

function mount() {
  ({ result, unmount } = renderHook(useNotifications, { wrapper: NotificationProvider }));
}

function reload() {
  unmount();
  mount();
}

beforeEach(() => {
  vi.useFakeTimers();
  mount();
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

  it('restores notifications after a reload, except those that ended meanwhile [NOTE026]', async () => {
    act(startDeletion);
    act(() => result.current.notify({ type: 'error', title: 'Deletion Failed', message: 'M' }));
    act(() => result.current.notify({ type: 'upload', title: 'Uploaded', message: 'M' }));
    act(() => result.current.markRead(result.current.notifications[0]?.id ?? ''));
    await advance(5000);
    reload();
    expect(titles()).toEqual(['Uploaded', 'Deletion Failed', 'Deleting']);
    expect(result.current.notifications.map(({ read }) => read)).toEqual([true, false, false]);
    await advance(1000);
    expect(titles()).toEqual(['Deletion Failed', 'Deleting']);
    // The deletion is polled again after a reload, and is one notification all the same.
    act(startDeletion);
    expect(titles()).toEqual(['Deletion Failed', 'Deleting']);
    act(() => result.current.notify({ type: 'success', title: 'Another', message: 'M' }));
    const ids = result.current.notifications.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('drops what is no notification [NOTE026]', () => {
    sessionStorage.setItem('notifications', JSON.stringify([null, 7, { id: 'x' }, { type: 'deletion' }]));
    reload();
    expect(titles()).toEqual([]);
  });

  it('drops them with the login they belong to [NOTE026]', () => {
    act(() => void storedToken.write('of Meera'));
    act(startDeletion);
    act(() => void storedToken.write('of Ravi'));
    expect(titles()).toEqual([]);
    expect(sessionStorage.getItem('notifications')).toBeNull();
  });

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
