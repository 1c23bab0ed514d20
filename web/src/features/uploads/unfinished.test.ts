import { describe, expect, it } from 'vitest';
import { storedBatch } from '../../shared/storage';
import { advance, emptyQueue } from './queue';
import { doneIn, missingIn, splitChosen, unfinishedOf } from './unfinished';

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
    storedBatch.write(batch);
    expect(storedBatch.read()).toEqual(batch);
    expect(missingIn(batch)).toBe(2);
    expect(doneIn(batch).map(({ name }) => name)).toEqual(['a']);
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
    for (const broken of ['{', '[]', '["e1",[["a"]]]', '{"eventId":"e1"}']) {
      localStorage.setItem('unfinishedUpload', broken);
      expect(storedBatch.read()).toBeNull();
      expect(localStorage.getItem('unfinishedUpload')).toBeNull();
    }
  });
});
