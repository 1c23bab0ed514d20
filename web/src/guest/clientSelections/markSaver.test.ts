import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../platform/api/errors';
import { type Mark, MarkSaver, type SavedMark } from './markSaver';

interface Sent {
  photo: string;
  mark: Partial<Mark>;
  answer: (saved: SavedMark) => void;
  fail: (error: unknown) => void;
}

function start() {
  const sent: Sent[] = [];
  const saver = new MarkSaver(
    (photo, mark) =>
      new Promise((answer, fail) => {
        sent.push({ photo, mark, answer, fail });
      }),
  );
  const refusals: string[] = [];
  saver.tellRefusals((text) => refusals.push(text));
  const settled = () => vi.advanceTimersByTimeAsync(0);
  return { saver, sent, refusals, settled };
}

const saved = (chosen: boolean, chosen_count: number, comment = ''): SavedMark => ({
  chosen,
  comment,
  chosen_count,
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('[EVT207] marks are shown at once, and saved one after the other in their order', async () => {
  const { saver, sent, settled } = start();
  saver.learn([{ photo_id: 'a', chosen: true, comment: 'Crop it' }], saver.moment());
  saver.learnCount(1);
  saver.mark('b', { chosen: true });
  saver.mark('a', { chosen: false });
  expect(saver.markOf('b')).toEqual({ chosen: true, comment: '' });
  expect(saver.markOf('a')).toEqual({ chosen: false, comment: 'Crop it' });
  expect(saver.snapshot()).toEqual({ chosen: 1, unsaved: 2, failure: null });
  expect(sent.map(({ photo }) => photo)).toEqual(['b']);
  sent[0]?.answer(saved(true, 2));
  await settled();
  expect(sent.map(({ photo, mark }) => [photo, mark])).toEqual([
    ['b', { chosen: true }],
    ['a', { chosen: false }],
  ]);
  sent[1]?.answer(saved(false, 1, 'Crop it'));
  await settled();
  expect(saver.snapshot()).toEqual({ chosen: 1, unsaved: 0, failure: null });
});

test('[EVT207] what is changed while it is on its way is saved again', async () => {
  const { saver, sent, settled } = start();
  saver.mark('a', { chosen: true });
  saver.mark('a', { comment: 'Large' });
  sent[0]?.answer(saved(true, 1));
  await settled();
  expect(sent[1]?.mark).toEqual({ chosen: true, comment: 'Large' });
  expect(saver.snapshot()).toEqual({ chosen: 1, unsaved: 1, failure: null });
});

test('[EVT207] what does not reach the server is kept, said, and tried again until it does', async () => {
  const { saver, sent, settled } = start();
  saver.mark('a', { chosen: true });
  sent[0]?.fail(new ApiError(0, 'This is not saved yet.'));
  await settled();
  expect(saver.snapshot()).toEqual({ chosen: 1, unsaved: 1, failure: 'This is not saved yet.' });
  await vi.advanceTimersByTimeAsync(1999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toHaveLength(2);
  sent[1]?.fail(new ApiError(429, 'Too many requests', { retryAfter: 30 }));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(sent).toHaveLength(2);
  // Another one does not go before its time, and neither is lost.
  saver.mark('b', { chosen: true });
  expect(sent).toHaveLength(2);
  saver.retry();
  sent[2]?.answer(saved(true, 1));
  await settled();
  sent[3]?.answer(saved(true, 2));
  await settled();
  expect(sent.map(({ photo }) => photo)).toEqual(['a', 'a', 'a', 'b']);
  expect(saver.snapshot()).toEqual({ chosen: 2, unsaved: 0, failure: null });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(sent).toHaveLength(4);
});

test('[EVT207] what the server refuses is taken back with the reason, and the others go on', async () => {
  const { saver, sent, refusals, settled } = start();
  saver.learnCount(3);
  saver.mark('a', { chosen: true });
  saver.mark('b', { comment: 'Nice' });
  sent[0]?.fail(new ApiError(409, '', { message: 'You have chosen as many photos as you can.' }));
  await settled();
  expect(refusals).toEqual(['You have chosen as many photos as you can.']);
  expect(saver.markOf('a').chosen).toBe(false);
  expect(saver.snapshot().chosen).toBe(3);
  sent[1]?.answer(saved(false, 3, 'Nice'));
  await settled();
  expect(saver.markOf('b').comment).toBe('Nice');
  expect(saver.snapshot().unsaved).toBe(0);
});

test('[EVT207] [GAL505] what was said of a photo that cannot be chosen any more is saved without choosing it', async () => {
  const refusals: string[] = [];
  const sent: Partial<Mark>[] = [];
  const full = { code: 'client_choice_full', message: 'You have chosen as many photos as you can.' };
  const saver = new MarkSaver((_photo, mark) => {
    sent.push(mark);
    return mark.chosen === true
      ? Promise.reject(new ApiError(409, '', full))
      : Promise.resolve(saved(false, 60, mark.comment));
  });
  saver.tellRefusals((text) => refusals.push(text));
  saver.learnCount(60);
  // Both were marked while the network was away, and go together.
  saver.lock();
  saver.mark('a', { chosen: true });
  saver.mark('a', { comment: 'Large, please' });
  saver.mark('b', { chosen: true });
  saver.unlock();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([
    { chosen: true, comment: 'Large, please' },
    { chosen: true },
    { comment: 'Large, please' },
  ]);
  expect(refusals).toEqual([full.message, full.message]);
  expect(saver.markOf('a')).toEqual({ chosen: false, comment: 'Large, please' });
  expect(saver.snapshot()).toEqual({ chosen: 60, unsaved: 0, failure: null });
});

test('[EVT207] a list that was asked for before a mark was answered does not undo it, and one asked for later holds', async () => {
  const { saver, sent, settled } = start();
  const list = (chosen: boolean, comment = '') => [{ photo_id: 'a', chosen, comment }];
  const beforeMark = saver.moment();
  saver.mark('a', { chosen: true });
  const beforeAnswer = saver.moment();
  sent[0]?.answer(saved(true, 1));
  await settled();
  for (const moment of [beforeMark, beforeAnswer]) {
    saver.learn([...list(false), { photo_id: 'b', chosen: true, comment: '' }], moment);
    expect(saver.markOf('a').chosen).toBe(true);
    expect(saver.markOf('b').chosen).toBe(true);
  }
  saver.learn(list(false, 'By the other one'), saver.moment());
  expect(saver.markOf('a')).toEqual({ chosen: false, comment: 'By the other one' });
});

test('[EVT207] it is said when all is saved, or nothing more can be at the moment', async () => {
  const { saver, sent, settled } = start();
  const ended: string[] = [];
  const wait = (name: string) => void saver.rested().then(() => ended.push(name));
  wait('nothing to save');
  await settled();
  expect(ended).toEqual(['nothing to save']);
  saver.mark('a', { chosen: true });
  saver.mark('b', { chosen: true });
  wait('two');
  sent[0]?.answer(saved(true, 1));
  await settled();
  expect(ended).toHaveLength(1);
  sent[1]?.answer(saved(true, 2));
  await settled();
  expect(ended[1]).toBe('two');
  saver.mark('c', { chosen: true });
  wait('offline');
  sent[2]?.fail(new ApiError(0, 'This is not saved yet.'));
  await settled();
  expect(ended[2]).toBe('offline');
  // It waits before the next try.
  wait('still offline');
  await settled();
  expect(ended[3]).toBe('still offline');
});

test('[EVT207] [EVT210] what is marked when a PIN is asked for is kept, and sent once it was entered', async () => {
  const { saver, sent, refusals, settled } = start();
  saver.mark('a', { chosen: true });
  saver.mark('b', { comment: 'Large' });
  sent[0]?.fail(new ApiError(403, '', { code: 'client_pin_required', message: 'Please enter the PIN.' }));
  await vi.advanceTimersByTimeAsync(100_000);
  expect(sent).toHaveLength(1);
  expect(refusals).toEqual([]);
  expect(saver.snapshot()).toMatchObject({ chosen: 1, unsaved: 2 });
  saver.unlock();
  sent[1]?.answer(saved(true, 1));
  await settled();
  sent[2]?.answer(saved(false, 1, 'Large'));
  await settled();
  expect(sent.map(({ photo }) => photo)).toEqual(['a', 'a', 'b']);
  expect(saver.snapshot()).toEqual({ chosen: 1, unsaved: 0, failure: null });
});

test('[EVT210] nothing is tried again while a PIN is asked for', async () => {
  const { saver, sent, settled } = start();
  saver.mark('a', { chosen: true });
  sent[0]?.fail(new ApiError(0, 'This is not saved yet.'));
  await settled();
  saver.lock();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(sent).toHaveLength(1);
  saver.unlock();
  expect(sent).toHaveLength(2);
});
