import { describe, expect, it } from 'vitest';
import {
  countUnread,
  maxAge,
  type NewNotification,
  nextDismissal,
  type Notification,
  type NotificationAction,
  notificationsReducer,
  purgeInterval,
  restoreNotifications,
} from './notifications';

const run = (...actions: NotificationAction[]) =>
  actions.reduce<readonly Notification[]>(notificationsReducer, []);
const added = (id: string, type: 'success' | 'error' | 'upload', now = 1000): NotificationAction => ({
  kind: 'add',
  id,
  now,
  notification: { type, title: 'T', message: 'M' },
});
const deletion: NewNotification = {
  type: 'deletion',
  title: 'Deleting Event',
  message: 'M',
  eventId: 'e1',
  eventName: 'Sangeet',
};
const deleting: NotificationAction = { kind: 'add', id: 'd', now: 1000, notification: deletion };
const ended = (status: 'completed' | 'failed'): NotificationAction => ({
  kind: 'endDeletion',
  eventId: 'e1',
  now: 90_000,
  status,
  title: 'Over',
  message: 'N',
});

describe('notifications', () => {
  it('have id, timestamp, read flag, type, title and message, newest first [NOTE001] [NOTE002]', () => {
    const list = run(added('a', 'success'), added('b', 'upload', 2000));
    expect(list.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(list[1]).toEqual({
      id: 'a',
      timestamp: 1000,
      read: false,
      type: 'success',
      title: 'T',
      message: 'M',
    });
  });

  it('of a deletion have its event and status [NOTE003] [NOTE004] [EVT028]', () => {
    expect(run(deleting)[0]).toMatchObject({ eventId: 'e1', eventName: 'Sangeet', status: 'in_progress' });
    expect(run(deleting, ended('completed'))[0]).toMatchObject({ status: 'completed', title: 'Over' });
    expect(run(deleting, ended('failed'))[0]).toMatchObject({ status: 'failed' });
  });

  it('can be marked read and removed, one by one or all at once [NOTE015]', () => {
    const list = run(added('a', 'success'), added('b', 'error'), { kind: 'markRead', id: 'a' });
    expect(countUnread(list)).toBe(1);
    expect(countUnread(notificationsReducer(list, { kind: 'markAllRead' }))).toBe(0);
    expect(notificationsReducer(list, { kind: 'remove', id: 'a' }).map(({ id }) => id)).toEqual(['b']);
    expect(notificationsReducer(list, { kind: 'clear' })).toEqual([]);
  });

  it.each([
    ['success', 8000],
    ['error', 12_000],
    ['upload', 6000],
  ] as const)('of type %s are dismissed after %i ms', (type, after) => {
    const list = run(added('a', type));
    expect(nextDismissal(list)).toBe(1000 + after);
    expect(notificationsReducer(list, { kind: 'dismiss', now: 1000 + after - 1 })).toHaveLength(1);
    expect(notificationsReducer(list, { kind: 'dismiss', now: 1000 + after })).toHaveLength(0);
  });

  it('of a running deletion stay, of a finished one are dismissed after 5 s (X06)', () => {
    expect(nextDismissal(run(deleting))).toBeNull();
    expect(notificationsReducer(run(deleting), { kind: 'dismiss', now: 1e9 })).toHaveLength(1);
    for (const status of ['completed', 'failed'] as const) {
      const list = run(deleting, ended(status));
      expect(nextDismissal(list)).toBe(95_000);
      expect(notificationsReducer(list, { kind: 'dismiss', now: 94_999 })).toHaveLength(1);
      expect(notificationsReducer(list, { kind: 'dismiss', now: 95_000 })).toHaveLength(0);
    }
  });

  describe("of guests' requests", () => {
    const requests = (eventId: string, newest: string, message = 'M') => ({
      eventId,
      newest,
      title: 'T',
      message,
    });
    const tell = (now: number, ...told: ReturnType<typeof requests>[]): NotificationAction => ({
      kind: 'tellRequests',
      now,
      requests: told,
    });
    const seen = (list: readonly Notification[]) =>
      list.map((each) => each.type === 'requests' && [each.newest, each.message, each.timestamp, each.read]);

    it('are one for each event, and are told anew when a newer request comes [NOTE028]', () => {
      const first = tell(1000, requests('e1', 'o1'), requests('e2', 'o2'));
      expect(seen(run(first))).toEqual([
        ['o1', 'M', 1000, false],
        ['o2', 'M', 1000, false],
      ]);
      // The same again, with another number: some of them were seen.
      expect(seen(run(first, tell(2000, requests('e1', 'o1', 'fewer'), requests('e2', 'o2'))))).toEqual([
        ['o1', 'fewer', 1000, false],
        ['o2', 'M', 1000, false],
      ]);
      expect(seen(run(first, tell(3000, requests('e1', 'o1'), requests('e2', 'o3'))))).toEqual([
        ['o3', 'M', 3000, false],
        ['o1', 'M', 1000, false],
      ]);
    });

    it('go when they are seen elsewhere, and stay as read when they are read here [NOTE031]', () => {
      const told = tell(1000, requests('e1', 'o1'));
      expect(run(added('a', 'error'), told, tell(2000)).map(({ id }) => id)).toEqual(['a']);
      const read: NotificationAction = { kind: 'markAllRead' };
      expect(seen(run(told, read, tell(2000)))).toEqual([['o1', 'M', 1000, true]]);
      expect(seen(run(told, read, tell(2000, requests('e1', 'o2'))))).toEqual([['o2', 'M', 2000, false]]);
    });

    it('are not dismissed by a timer [NOTE021] [NOTE030]', () => {
      const list = run(tell(1000, requests('e1', 'o1')));
      expect(nextDismissal(list)).toBeNull();
      expect(restoreNotifications(list, 1000 + maxAge)).toEqual(list);
      expect(restoreNotifications(list, 1001 + maxAge)).toEqual([]);
    });
  });

  it('older than an hour are purged every 30 min', () => {
    expect(maxAge).toBe(3_600_000);
    expect(purgeInterval).toBe(1_800_000);
    expect(notificationsReducer(run(deleting), { kind: 'purge', now: 1000 + maxAge })).toHaveLength(1);
    expect(notificationsReducer(run(deleting), { kind: 'purge', now: 1001 + maxAge })).toHaveLength(0);
  });
});
