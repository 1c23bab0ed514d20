import { beforeEach, expect, test, vi } from 'vitest';
import { storedKeptSearch } from '../../platform/storage/keptSearchStorage';
import { errorResponse, json, mockServer } from '../../testing/server';
import { KEEPING_NOTICE_VERSION } from '../kept/notice';
import { repeatRoute, searchBody, searchResult } from '../testing';
import { keptQuery } from './repeat';

const slug = 'aanya-rohan';
const keepRoute = `POST /api/face/search/${slug}/keep`;
const stored = storedKeptSearch(slug);
const found = () => json(searchBody(searchResult({ searchToken: 'of both' })));

/** A visit that searches with what the device keeps. */
function visit() {
  const query = keptQuery(slug);
  return { search: () => query?.kept?.(query, new AbortController().signal) };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

beforeEach(() => stored.write({ key: 'old', seen: ['photo-1'], strictness: 'loose' }));

test('a device takes a fresh key for the one that it searched with, once in a visit', async () => {
  // [FACE562]
  const server = mockServer({ [repeatRoute]: found, [keepRoute]: () => json({ key: 'new' }) });
  const { search } = visit();
  expect((await search())?.matches).toHaveLength(3);
  await vi.waitFor(() =>
    expect(stored.read()).toEqual({ key: 'new', seen: ['photo-1'], strictness: 'loose' }),
  );
  await search();
  await settled();
  expect(server.callsTo(keepRoute).map(({ body }) => body)).toEqual([
    { token: 'of both', notice_version: KEEPING_NOTICE_VERSION },
  ]);
  expect(server.callsTo(repeatRoute).map(({ body }) => body)).toMatchObject([
    { token: 'old' },
    { token: 'new' },
  ]);
});

test('the fresh key is asked for by the notice that the guest has agreed to', async () => {
  // [FACE562]
  stored.write({ key: 'old', seen: [], notice: '2026-11-27' });
  const server = mockServer({ [repeatRoute]: found, [keepRoute]: () => json({ key: 'new' }) });
  await visit().search();
  await vi.waitFor(() => expect(stored.read()?.key).toBe('new'));
  expect(server.callsTo(keepRoute)[0]?.body).toMatchObject({ notice_version: '2026-11-27' });
});

test('without a fresh key the search has its result, and the device keeps the old one', async () => {
  // [FACE562]
  const server = mockServer({ [repeatRoute]: found, [keepRoute]: () => errorResponse(503, 'Busy.', 'busy') });
  expect((await visit().search())?.matches).toHaveLength(3);
  await vi.waitFor(() => expect(server.callsTo(keepRoute)).toHaveLength(1));
  await settled();
  expect(stored.read()).toEqual({ key: 'old', seen: ['photo-1'], strictness: 'loose' });
});

test('a fresh key takes no place that was emptied, or given to another search, meanwhile', async () => {
  // [FACE562]
  const another = { key: 'of another', seen: [] };
  for (const change of [() => stored.remove(), () => stored.write(another)]) {
    stored.write({ key: 'old', seen: [] });
    const server = mockServer({
      [repeatRoute]: found,
      [keepRoute]: () => {
        change();
        return json({ key: 'new' });
      },
    });
    await visit().search();
    await vi.waitFor(() => expect(server.callsTo(keepRoute)).toHaveLength(1));
    await settled();
    expect(stored.read()?.key).not.toBe('new');
  }
  expect(stored.read()).toEqual(another);
});

test('a key that is of no use any more is forgotten, and no other that has taken its place', async () => {
  // [FACE562]
  const expired = () => errorResponse(404, 'Please take a selfie again.', 'search_token_expired');
  mockServer({
    [repeatRoute]: () => {
      stored.write({ key: 'of another', seen: [] });
      return expired();
    },
  });
  await expect(visit().search()).rejects.toThrow();
  expect(stored.read()?.key).toBe('of another');
  mockServer({ [repeatRoute]: expired });
  await expect(visit().search()).rejects.toThrow();
  expect(stored.read()).toBeNull();
});
