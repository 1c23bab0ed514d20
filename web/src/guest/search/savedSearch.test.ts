import { describe, expect, test } from 'vitest';
import { storedPreview, storedSearch } from '../../platform/storage/storage';
import { searchQuery, searchResult } from '../testing';
import { linkLifetime, linksExpired, restoreSearch, saveSearch } from './savedSearch';
import { initialState, noMatchesText } from './search';

const storesOf = (slug: string) => ({ search: storedSearch(slug), preview: storedPreview(slug) });
const stores = storesOf('one');
const results = {
  phase: 'results',
  query: searchQuery({ strictness: 'loose' }),
  result: searchResult({ albums: [{ id: 'c', name: 'Ceremony' }] }),
} as const;

describe('the saved search', () => {
  test('[STORE005] [STORE006] [STORE007] results and preview are saved in session storage and restored', () => {
    saveSearch(stores, results);
    expect(sessionStorage.getItem('faceSearch:one')).toContain('photo-1');
    expect(sessionStorage.getItem('facePreview:one')).toMatch(/^data:image/);
    expect(localStorage).toHaveLength(0);
    const back = restoreSearch(storesOf('one'));
    expect(back).toMatchObject({ phase: 'results', query: { strictness: 'loose' } });
    if (back.phase === 'results') expect(back.result).toEqual(results.result);
  });

  test('results are stored per event', () => {
    saveSearch(stores, results);
    expect(restoreSearch(storesOf('two'))).toEqual(initialState);
  });

  test('[FACE027] a search without matches removes the saved results', () => {
    saveSearch(stores, results);
    const failure = { text: noMatchesText(), code: 'no_matches', transient: false };
    saveSearch(stores, { phase: 'failed', query: searchQuery(), failure, result: null, previous: null });
    expect(stores.search.read()).toBeNull();
    expect(restoreSearch(stores)).toEqual(initialState);
  });

  test('a search without matches is kept for those that arrive, where that is wanted', () => {
    const kept = { ...storesOf('friend:one'), keepsEmpty: true };
    const failure = { text: noMatchesText(), code: 'no_matches', transient: false };
    const result = searchResult({ matches: [] });
    saveSearch(kept, { phase: 'failed', query: searchQuery(), failure, result, previous: null });
    const back = restoreSearch({ ...storesOf('friend:one'), keepsEmpty: true });
    expect(back).toMatchObject({ phase: 'results', result: { matches: [] }, query: { selfies: [{}] } });
    saveSearch(kept, { phase: 'capture', previous: null, adding: false });
    expect(restoreSearch(kept)).toEqual(initialState);
  });

  test('a failed search keeps the saved results', () => {
    saveSearch(stores, results);
    const failure = { text: 'offline', code: 'network', transient: true };
    saveSearch(stores, { phase: 'failed', query: searchQuery(), failure, result: null, previous: null });
    expect(stores.search.read()).not.toBeNull();
  });

  test.each([null, { query: results.query, result: results.result }])(
    '[FACE013] a reset removes results and preview, whatever can be shown again',
    (previous) => {
      saveSearch(stores, results);
      saveSearch(stores, { phase: 'capture', previous, adding: false });
      expect(sessionStorage).toHaveLength(0);
    },
  );

  test('[FACE123] a selfie without preview does not get that of an earlier one', () => {
    saveSearch(stores, results);
    const query = searchQuery({ selfies: [{ image: new Blob(['heic']), preview: null }] });
    saveSearch(stores, { phase: 'results', query, result: searchResult() });
    const back = restoreSearch(storesOf('one'));
    expect(back).toMatchObject({ phase: 'results', query: { selfies: [] } });
  });

  test.each(['nonsense', '[]', '{"matches":[]}', '{"receivedAt":1,"matches":[{}]}'])(
    'an invalid value is ignored: %s',
    (text) => {
      saveSearch(stores, results);
      sessionStorage.setItem('faceSearch:one', text);
      expect(restoreSearch(storesOf('one'))).toEqual(initialState);
    },
  );

  test('links expire after six hours', () => {
    expect(linksExpired(searchResult({ receivedAt: 0 }), linkLifetime)).toBe(false);
    expect(linksExpired(searchResult({ receivedAt: 0 }), linkLifetime + 1)).toBe(true);
  });
});
