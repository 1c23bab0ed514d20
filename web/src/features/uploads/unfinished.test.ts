import { describe, expect, it, vi } from 'vitest';
import { storedBatches } from '../../shared/storage';
import { advance, emptyQueue } from './queue';
import {
  doneIn,
  forgetBatch,
  missingIn,
  rememberBatch,
  rememberedBatch,
  splitChosen,
  unfinishedOf,
} from './unfinished';

const file = (name: string, lastModified = 1) => new File(['x'], name, { lastModified });
const queueOf = (...names: string[]) =>
  advance(emptyQueue, {
    kind: 'enqueued',
    eventId: 'e1',
    files: names.map((name) => ({ id: name, file: file(name) })),
  });
const uploaded = (queue: ReturnType<typeof queueOf>, id: string) =>
  advance(queue, { kind: 'verified', id, found: true });

describe('a batch that was not finished', () => {
  it('knows what is done and what is missing, and survives the storage', () => {
    const batch = unfinishedOf(uploaded(queueOf('a', 'b', 'c'), 'a'), []);
    expect(batch).not.toBeNull();
    if (batch === null) return;
    rememberBatch(batch);
    expect(rememberedBatch('e1')).toEqual(batch);
    expect(rememberedBatch('e2')).toBeNull();
    expect(missingIn(batch)).toBe(2);
    expect(doneIn(batch).map(({ name }) => name)).toEqual(['a']);
  });

  it('is kept beside those of other events, the latest five of them, or as many as the browser takes', () => {
    const batch = (eventId: string) => ({
      eventId,
      files: [{ name: 'a', size: 1, modified: 1, done: false }],
    });
    const kept = () => storedBatches.read()?.map(({ eventId }) => eventId);
    for (const event of ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e4']) rememberBatch(batch(event));
    expect(kept()).toEqual(['e4', 'e6', 'e5', 'e3', 'e2']);
    forgetBatch('e6');
    expect(kept()).toEqual(['e4', 'e5', 'e3', 'e2']);

    const setItem = localStorage.setItem.bind(localStorage);
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation((key, text) => {
      if (text.length > 60) throw new DOMException('full', 'QuotaExceededError');
      setItem(key, text);
    });
    rememberBatch(batch('e7'));
    expect(kept()).toEqual(['e7', 'e4']);
    for (const event of ['e7', 'e4']) forgetBatch(event);
    expect(storedBatches.read()).toBeNull();
  });

  it('is none when everything arrived, or nothing was ever queued', () => {
    expect(unfinishedOf(uploaded(queueOf('a'), 'a'), [])).toBeNull();
    expect(unfinishedOf(emptyQueue, [])).toBeNull();
  });

  it('lets only what is missing travel again; another file of the same name does', () => {
    const batch = unfinishedOf(uploaded(queueOf('a', 'b'), 'a'), []);
    if (batch === null) throw new Error('nothing is missing');
    const again = [file('a'), file('b'), file('a', 2), file('new')];
    const { toSend, done } = splitChosen(batch, again);
    expect(toSend).toEqual([again[1], again[2], again[3]]);
    expect(done).toBe(1);
  });

  it('remembers what was done before the page was closed a first time', () => {
    const first = unfinishedOf(uploaded(queueOf('a', 'b'), 'a'), []);
    if (first === null) throw new Error('nothing is missing');
    const second = unfinishedOf(queueOf('b'), doneIn(first));
    expect(second?.files.map(({ name, done }) => [name, done])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('is forgotten when what is stored is no batch', () => {
    for (const broken of ['{', '[[]]', '[["e1",[["a"]]]]', '{"eventId":"e1"}']) {
      localStorage.setItem('unfinishedUploads', broken);
      expect(storedBatches.read()).toBeNull();
      expect(localStorage.getItem('unfinishedUploads')).toBeNull();
    }
  });
});
