import { describe, expect, test } from 'vitest';
import { storedPreview, storedSearch } from '../../shared/storage';
import { linkLifetime, linksExpired, remember, restore } from './savedSearch';
import { noMatchesText, start } from './search';
import { searchQuery, searchResult } from './testing';

const storesOf = (slug: string) => ({ search: storedSearch(slug), preview: storedPreview(slug) });
const stores = storesOf('one');
const results = {
  phase: 'results',
  query: searchQuery({ strictness: 'loose' }),
  answer: searchResult(),
} as const;

describe('the saved search', () => {
  test('[STORE005] [STORE006] [STORE007] results and preview are kept in session storage and come back', () => {
    remember(stores, results);
    expect(sessionStorage.getItem('faceSearch:one')).toContain('photo-1');
    expect(sessionStorage.getItem('facePreview:one')).toMatch(/^data:image/);
    expect(localStorage).toHaveLength(0);
    const back = restore(storesOf('one'));
    expect(back).toMatchObject({ phase: 'results', query: { strictness: 'loose' } });
    if (back.phase === 'results') expect(back.answer).toEqual(results.answer);
  });

  test('one event never shows another one’s results', () => {
    remember(stores, results);
    expect(restore(storesOf('two'))).toEqual(start);
  });

  test('[FACE027] a search without matches clears the saved results', () => {
    remember(stores, results);
    const failure = { text: noMatchesText, code: 'no_matches' };
    remember(stores, { phase: 'failed', query: searchQuery(), failure, answer: null });
    expect(stores.search.read()).toBeNull();
    expect(restore(stores)).toEqual(start);
  });

  test('a search that could not be made clears nothing', () => {
    remember(stores, results);
    const failure = { text: 'offline', code: 'network' };
    remember(stores, { phase: 'failed', query: searchQuery(), failure, answer: null });
    expect(stores.search.read()).not.toBeNull();
  });

  test('[FACE013] a reset forgets results and preview', () => {
    remember(stores, results);
    remember(stores, start);
    expect(sessionStorage).toHaveLength(0);
  });

  test.each(['nonsense', '[]', '{"matches":[]}', '{"receivedAt":1,"matches":[{}]}'])(
    'what cannot be read counts as nothing: %s',
    (text) => {
      remember(stores, results);
      sessionStorage.setItem('faceSearch:one', text);
      expect(restore(storesOf('one'))).toEqual(start);
    },
  );

  test('links run out after six hours', () => {
    expect(linksExpired(searchResult({ receivedAt: 0 }), linkLifetime)).toBe(false);
    expect(linksExpired(searchResult({ receivedAt: 0 }), linkLifetime + 1)).toBe(true);
  });
});
