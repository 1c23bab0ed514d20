import { describe, expect, test } from 'vitest';
import { matchesText, noMatchesText, reduce, type SearchState, start } from './search';
import { match, oneFace, searchQuery, searchResult } from './testing';

const asked = searchQuery();
const searching = reduce(start, { type: 'submitted', query: asked });
const results = reduce(searching, { type: 'answered', query: asked, answer: searchResult() });
const failure = { text: 'no', code: 'network' };

describe('the face search', () => {
  test('[FACE023] starts idle with the capture view', () => {
    expect(start).toEqual({ phase: 'capture', before: null });
  });

  test('goes from the capture view over searching to results', () => {
    expect(searching).toEqual({ phase: 'searching', query: asked, before: null, startsAt: null });
    expect(results).toMatchObject({ phase: 'results', query: asked });
  });

  test('[FACE025] counts matches to the letter, without a singular', () => {
    expect(matchesText(12)).toBe('12 matches found.');
    expect(matchesText(1)).toBe('1 matches found.');
  });

  test('[FACE026] ends in an error without matches', () => {
    const nobody = reduce(searching, {
      type: 'answered',
      query: asked,
      answer: searchResult({ matches: [] }),
    });
    expect(nobody).toMatchObject({ phase: 'failed', failure: { text: noMatchesText } });
    expect(noMatchesText).toBe('No matching photos found. Try a different photo!');
  });

  test('[FACE052] asks which face is meant when there are several, and not again', () => {
    const several = searchResult({ faces: [oneFace, oneFace] });
    const choosing = reduce(searching, { type: 'answered', query: asked, answer: several });
    expect(choosing.phase).toBe('choosing');
    expect(reduce(choosing, { type: 'face confirmed' })).toMatchObject({
      phase: 'results',
      query: { face: 0 },
    });
    const second = searchQuery({ face: 1 });
    const again = reduce(choosing, { type: 'submitted', query: second });
    expect(reduce(again, { type: 'answered', query: second, answer: several }).phase).toBe('results');
  });

  test('a failure loses nothing: earlier results come back', () => {
    const loose = searchQuery({ strictness: 'loose' });
    const again = reduce(results, { type: 'submitted', query: loose });
    expect(again).toMatchObject({ phase: 'searching', before: { query: asked } });
    expect(reduce(again, { type: 'refused', query: loose, failure })).toEqual(results);
    expect(reduce(searching, { type: 'refused', query: asked, failure })).toMatchObject({
      phase: 'failed',
      failure,
    });
  });

  test('waits for its turn while it is the one that is asked', () => {
    const waiting = reduce(searching, { type: 'put off', query: asked, startsAt: 5000 });
    expect(waiting).toMatchObject({ phase: 'searching', startsAt: 5000 });
    expect(reduce(waiting, { type: 'answered', query: asked, answer: searchResult() }).phase).toBe('results');
    expect(reduce(waiting, { type: 'put off', query: searchQuery(), startsAt: null })).toBe(waiting);
  });

  test('an answer to a question that is no longer asked changes nothing', () => {
    const other = searchQuery();
    expect(reduce(searching, { type: 'answered', query: other, answer: searchResult() })).toBe(searching);
    expect(reduce(searching, { type: 'refused', query: other, failure })).toBe(searching);
    expect(reduce(start, { type: 'answered', query: asked, answer: searchResult() })).toBe(start);
  });

  test('[FACE013] a reset clears images, results and messages', () => {
    const states: SearchState[] = [searching, results, { phase: 'capture', before: null }];
    for (const state of states) expect(reduce(state, { type: 'reset' })).toEqual(start);
  });

  test('another selfie can be added, or not after all', () => {
    const capture = reduce(results, { type: 'another selfie wanted' });
    expect(capture).toMatchObject({ phase: 'capture', before: { query: asked } });
    expect(reduce(capture, { type: 'capture left' })).toEqual(results);
    expect(reduce(start, { type: 'capture left' })).toBe(start);
  });

  test('photos that are indexed later join the results, and end a search without matches', () => {
    const later = searchResult({ matches: [match(4)] });
    const joined = reduce(results, { type: 'joined', query: asked, answer: later });
    expect(joined).toMatchObject({ phase: 'results' });
    if (joined.phase === 'results') expect(joined.answer.matches).toHaveLength(4);
    const nobody = reduce(searching, {
      type: 'answered',
      query: asked,
      answer: searchResult({ matches: [] }),
    });
    expect(reduce(nobody, { type: 'joined', query: asked, answer: later }).phase).toBe('results');
    expect(reduce(results, { type: 'joined', query: searchQuery(), answer: later })).toBe(results);
  });
});
