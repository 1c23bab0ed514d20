import { expect, test } from 'vitest';
import { match, searchResult } from '../testing';
import { matchId, mergeSearchResults, parseSearchResult, tokensOf } from './matches';

const parsed = (matches: unknown) => parseSearchResult({ matches }, 0).matches;

test('[FACE032] a match without thumbnail_url, url and s3_key is dropped', () => {
  expect(parsed([{ face_id: 'a' }, { face_id: 'b', url: '', s3_key: null }])).toEqual([]);
});

test.each(['thumbnail_url', 'url', 's3_key'])('[FACE033] a match with %s alone is kept', (field) => {
  expect(parsed([{ face_id: 'a', [field]: 'somewhere' }])).toHaveLength(1);
});

test('a response of any shape is parsed', () => {
  expect(parseSearchResult(null, 7)).toEqual({
    matches: [],
    albums: [],
    faces: [],
    blurred: false,
    indexing: { indexed: 0, waiting: 0, total: 0 },
    downloadTokens: [],
    searchToken: null,
    subscriptionToken: null,
    preview: null,
    receivedAt: 7,
  });
  expect(parsed([null, 5, { url: 'x', width: -3, height: 'tall' }])).toMatchObject([
    { url: 'x', width: 0, height: 0 },
  ]);
});

test('color, size and the medium rendition of a match are null where an answer has none, or none that is one', () => {
  const [full, bare] = parsed([
    { url: 'x', color: '#a1B2c3', focus: { x: 0.2, y: 0.3 }, medium_url: 'm', size_bytes: 4_000_000 },
    { url: 'x', color: 'red;}', medium_url: '', size_bytes: -1 },
  ]);
  expect(full).toMatchObject({
    color: '#a1B2c3',
    focus: { x: 0.2, y: 0.3 },
    medium_url: 'm',
    size_bytes: 4_000_000,
  });
  expect(bare).toMatchObject({ color: null, focus: undefined, medium_url: null, size_bytes: null });
});

test('a match is identified by its photo, or by its face if the photo is not named', () => {
  expect(matchId(match(1))).toBe('photo-1');
  expect(matchId(match(1, { photo_id: null }))).toBe('face-1');
});

test('new photos are appended; the others keep their positions and get fresh links', () => {
  const later = searchResult({ matches: [match(9), match(2, { url: 'fresh' })] });
  const joined = mergeSearchResults(searchResult({ matches: [match(1), match(2)] }), later);
  expect(joined.matches.map(matchId)).toEqual(['photo-1', 'photo-2', 'photo-9']);
  expect(joined.matches[1]?.url).toBe('fresh');
});

test('[DOWN080] the tokens of merged results cover all their photos', () => {
  const first = searchResult({ matches: [match(1), match(2)], downloadTokens: ['one'] });
  const fewer = searchResult({ matches: [match(2), match(3)], downloadTokens: ['two'] });
  expect(mergeSearchResults(first, fewer).downloadTokens).toEqual(['one', 'two']);
  const more = searchResult({ matches: [match(1), match(2), match(3)], downloadTokens: ['two'] });
  expect(mergeSearchResults(first, more).downloadTokens).toEqual(['two']);
});

test('[FACE557] photos that later searches do not find have their last token, however often is searched', () => {
  const next = (number: number) =>
    searchResult({ matches: [match(2), match(3)], downloadTokens: [`token ${number}`] });
  let result = searchResult({ matches: [match(1), match(2)], downloadTokens: ['first'] });
  for (let number = 1; number <= 70; number += 1) {
    result = mergeSearchResults(result, next(number));
    // As it comes back from where the browser keeps it.
    const { downloadTokens: download_tokens, ...kept } = result;
    const saved = JSON.stringify({ ...kept, download_tokens });
    result = parseSearchResult(JSON.parse(saved), 0);
  }
  expect(result.matches.map(matchId)).toEqual(['photo-1', 'photo-2', 'photo-3']);
  expect(result.downloadTokens).toEqual(['first', 'token 70']);
  expect(result.matches.map((each) => tokensOf(result, each))).toEqual([
    ['first'],
    ['token 70'],
    ['token 70'],
  ]);
});

test('a result of an earlier version, whose photos do not say which token is theirs, keeps them all', () => {
  const before = searchResult({ matches: [match(1), match(2)], downloadTokens: ['a', 'b'] });
  const later = searchResult({ matches: [match(2)], downloadTokens: ['c'] });
  const merged = mergeSearchResults(before, later);
  expect(merged.downloadTokens).toEqual(['a', 'b', 'c']);
  expect(mergeSearchResults(merged, later).downloadTokens).toEqual(['a', 'b', 'c']);
});

test('where every search loses another photo the tokens stay within what the server takes', () => {
  let result = searchResult({ matches: [match(0)], downloadTokens: ['token 0'] });
  for (let number = 1; number <= 100; number += 1)
    result = mergeSearchResults(
      result,
      searchResult({ matches: [match(number)], downloadTokens: [`token ${number}`] }),
    );
  expect(result.matches).toHaveLength(101);
  expect(result.downloadTokens).toHaveLength(32);
  expect(result.downloadTokens.at(-1)).toBe('token 100');
});
