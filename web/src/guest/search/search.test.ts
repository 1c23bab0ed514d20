import { describe, expect, test } from 'vitest';
import { match, oneFace, searchQuery, searchResult } from '../testing';
import { matchId } from './matches';
import { initialState, matchesText, noMatchesText, searchReducer, shownSearchOf } from './search';

const asked = searchQuery();
const searching = searchReducer(initialState, { type: 'submitted', query: asked, refines: false });
const results = searchReducer(searching, { type: 'succeeded', query: asked, result: searchResult() });
const failure = { text: 'no', code: 'network', transient: true };

describe('the face search', () => {
  test('[FACE023] starts idle with the capture view', () => {
    expect(initialState).toEqual({ phase: 'capture', previous: null, adding: false });
  });

  test('changes from the capture view to searching to results', () => {
    expect(searching).toEqual({
      phase: 'searching',
      query: asked,
      previous: null,
      refines: false,
      retryAt: null,
    });
    expect(results).toMatchObject({ phase: 'results', query: asked });
  });

  test('[FACE025] counts matches with the specified text, without a singular', () => {
    expect(matchesText(12)).toBe('12 matches found.');
    expect(matchesText(1)).toBe('1 matches found.');
  });

  test('[FACE026] ends in an error without matches', () => {
    const nobody = searchReducer(searching, {
      type: 'succeeded',
      query: asked,
      result: searchResult({ matches: [] }),
    });
    expect(nobody).toMatchObject({ phase: 'failed', failure: { text: noMatchesText() } });
    expect(noMatchesText()).toBe('No matching photos found. Try a different photo!');
  });

  test('[FACE052] asks for the face once when there are several', () => {
    const several = searchResult({ faces: [oneFace, oneFace] });
    const choosing = searchReducer(searching, { type: 'succeeded', query: asked, result: several });
    expect(choosing.phase).toBe('choosing');
    expect(searchReducer(choosing, { type: 'faceConfirmed' })).toMatchObject({
      phase: 'results',
      query: { face: 0 },
    });
    const second = searchQuery({ face: 1 });
    const again = searchReducer(choosing, { type: 'submitted', query: second, refines: false });
    expect(searchReducer(again, { type: 'succeeded', query: second, result: several }).phase).toBe('results');
  });

  test('a failure restores the previous results', () => {
    const loose = searchQuery({ strictness: 'loose' });
    const again = searchReducer(results, { type: 'submitted', query: loose, refines: true });
    expect(again).toMatchObject({ phase: 'searching', previous: { query: asked } });
    expect(searchReducer(again, { type: 'failed', query: loose, failure })).toEqual(results);
    expect(searchReducer(searching, { type: 'failed', query: asked, failure })).toMatchObject({
      phase: 'failed',
      failure,
    });
  });

  test('waits for a retry only for the current query', () => {
    const waiting = searchReducer(searching, { type: 'postponed', query: asked, retryAt: 5000 });
    expect(waiting).toMatchObject({ phase: 'searching', retryAt: 5000 });
    expect(searchReducer(waiting, { type: 'succeeded', query: asked, result: searchResult() }).phase).toBe(
      'results',
    );
    expect(searchReducer(waiting, { type: 'postponed', query: searchQuery(), retryAt: null })).toBe(waiting);
  });

  test('the response to an outdated query is ignored', () => {
    const other = searchQuery();
    expect(searchReducer(searching, { type: 'succeeded', query: other, result: searchResult() })).toBe(
      searching,
    );
    expect(searchReducer(searching, { type: 'failed', query: other, failure })).toBe(searching);
    expect(searchReducer(initialState, { type: 'succeeded', query: asked, result: searchResult() })).toBe(
      initialState,
    );
  });

  test('[FACE013] a reset leaves images, results and messages', () => {
    for (const state of [searching, results, initialState]) {
      const reset = searchReducer(state, { type: 'reset' });
      expect(reset).toMatchObject({ phase: 'capture', adding: false });
      expect(shownSearchOf(reset)).toBeNull();
    }
  });

  test('[FACE120] the last results can be shown again until others take their place', () => {
    const reset = searchReducer(results, { type: 'reset' });
    expect(searchReducer(reset, { type: 'previousRequested' })).toEqual(results);
    const nobody = searchReducer(reset, { type: 'submitted', query: asked, refines: false });
    const failed = searchReducer(nobody, { type: 'failed', query: asked, failure });
    expect(failed).toMatchObject({ phase: 'failed', failure });
    expect(searchReducer(failed, { type: 'previousRequested' })).toEqual(results);
    expect(searchReducer(initialState, { type: 'previousRequested' })).toBe(initialState);
  });

  test('adding a selfie can be cancelled', () => {
    const capture = searchReducer(results, { type: 'selfieRequested' });
    expect(capture).toMatchObject({ phase: 'capture', previous: { query: asked }, adding: true });
    expect(searchReducer(capture, { type: 'previousRequested' })).toEqual(results);
  });

  test('[FACE121] a running search can be cancelled', () => {
    expect(searchReducer(searching, { type: 'cancelled' })).toEqual(initialState);
    const refined = searchReducer(results, { type: 'submitted', query: searchQuery(), refines: true });
    expect(searchReducer(refined, { type: 'cancelled' })).toEqual(results);
    const preparing = searchReducer(initialState, { type: 'selfieTaken' });
    expect(preparing.phase).toBe('preparing');
    expect(searchReducer(preparing, { type: 'cancelled' })).toEqual(initialState);
    expect(searchReducer(preparing, { type: 'selfieRefused' })).toEqual(initialState);
  });

  test('[FACE122] a selfie that the browser cannot display gets the server’s preview', () => {
    const heic = searchQuery({ selfies: [{ image: new Blob(['heic']), preview: null }] });
    const sent = searchReducer(initialState, { type: 'submitted', query: heic, refines: false });
    const preview = 'data:image/jpeg;base64,AAAA';
    const found = searchReducer(sent, {
      type: 'succeeded',
      query: heic,
      result: searchResult({ preview }),
    });
    expect(found).toMatchObject({ phase: 'results', query: { selfies: [{ preview }] } });
  });

  test('photos that are indexed later are merged into the results, and replace a search without matches', () => {
    const later = searchResult({ matches: [match(4)] });
    const joined = searchReducer(results, { type: 'merged', query: asked, result: later });
    expect(joined).toMatchObject({ phase: 'results' });
    if (joined.phase === 'results') expect(joined.result.matches).toHaveLength(4);
    const nobody = searchReducer(searching, {
      type: 'succeeded',
      query: asked,
      result: searchResult({ matches: [] }),
    });
    expect(searchReducer(nobody, { type: 'merged', query: asked, result: later }).phase).toBe('results');
    expect(searchReducer(results, { type: 'merged', query: searchQuery(), result: later })).toBe(results);
  });

  test('a photo that the guest is not in does not come back with what is merged [FACE544]', () => {
    const rejected = searchReducer(results, { type: 'rejected', match: match(1) });
    if (rejected.phase !== 'results') throw new Error('there are no results');
    const merged = {
      type: 'merged',
      query: rejected.query,
      result: searchResult({ matches: [match(1), match(4)] }),
    } as const;
    const ids = ['photo-2', 'photo-3', 'photo-4'];
    const joined = searchReducer(rejected, merged);
    expect(joined.phase === 'results' && joined.result.matches.map(matchId)).toEqual(ids);
    const later = searchReducer(searchReducer(rejected, { type: 'reset' }), merged);
    expect(later.phase === 'capture' && later.previous?.result.matches.map(matchId)).toEqual(ids);
  });
});
