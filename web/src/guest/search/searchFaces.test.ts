import { describe, expect, test, vi } from 'vitest';
import { storedToken } from '../../platform/storage/storage';
import { json } from '../../testing/server';
import { NOTICE_VERSION } from '../capture/privacyNotice';
import {
  mockFormServer,
  mockTimeouts,
  never,
  searchBody,
  searchQuery,
  searchResult,
  searchRoute,
} from '../testing';
import { searchFaces, searchFailureOf } from './searchFaces';

const neverAborted = new AbortController().signal;
const search = (change = {}) => searchFaces('aanya-rohan', searchQuery(change), neverAborted);
const failureIn = (call: Promise<unknown>) => call.then(() => expect.unreachable(), searchFailureOf);

describe('the search', () => {
  const found = { [searchRoute]: () => json(searchBody(searchResult())) };

  test('[API050] [FACE068] sends the selfie, the strictness and the version of the notice', async () => {
    const server = mockFormServer(found);
    await search({ strictness: 'loose' });
    const form = server.calls[0]?.form;
    expect(form?.['image']).toHaveLength(1);
    expect(form?.['strictness']).toEqual(['loose']);
    expect(form?.['notice_version']).toEqual([NOTICE_VERSION]);
    expect(form?.['face']).toBeUndefined();
  });

  test('[STAT004] says from the second search on that this device has found photos in the event', async () => {
    const server = mockFormServer({ ...found, 'POST /api/face/search/another-event': found[searchRoute] });
    await search();
    await search();
    await searchFaces('another-event', searchQuery(), neverAborted);
    expect(server.calls.map(({ form }) => form['found_before'])).toEqual([undefined, ['true'], undefined]);
  });

  test('[STAT004] says nothing of a search that found no photo', async () => {
    const nothing = searchBody(searchResult({ matches: [] }));
    const server = mockFormServer({ [searchRoute]: () => json(nothing) });
    await search();
    await search();
    expect(server.calls.map(({ form }) => form['found_before'])).toEqual([undefined, undefined]);
  });

  test('[FACE053] sends up to three selfies and the chosen face', async () => {
    const server = mockFormServer(found);
    await search({ selfies: Array.from({ length: 3 }, () => searchQuery().selfies).flat(), face: 2 });
    expect(server.calls[0]?.form['image']).toHaveLength(3);
    expect(server.calls[0]?.form['face']).toEqual(['2']);
  });

  test('[FACE034] attaches the bearer token when there is one', async () => {
    storedToken.write('a-token');
    const server = mockFormServer(found);
    await search();
    expect(server.calls[0]?.headers.get('Authorization')).toBe('Bearer a-token');
  });

  test('[FACE035] works without a token', async () => {
    const server = mockFormServer(found);
    expect((await search()).matches).toHaveLength(3);
    expect(server.calls[0]?.headers.has('Authorization')).toBe(false);
  });

  test('[FACE036] [CONST015] times out after 60 s', async () => {
    const set = mockTimeouts();
    mockFormServer({ [searchRoute]: never });
    const failure = failureIn(search());
    await vi.waitFor(() => expect(set.length).toBeGreaterThan(0));
    set.find(({ milliseconds }) => milliseconds === 60_000)?.end();
    expect((await failure).text).toBe(
      'Failed to search for photos: the search took longer than 60 seconds. Please try again.',
    );
  });

  test('[FACE028] fails with the message of the server', async () => {
    mockFormServer({ [searchRoute]: () => json({ error: 'The photo is too dark.', code: 'too_dark' }, 422) });
    expect(await failureIn(search())).toEqual({
      text: 'The photo is too dark.',
      code: 'too_dark',
      transient: false,
    });
  });

  test.each([429, 500, 503])('[FACE124] the same search can be repeated after a %i', async (status) => {
    mockFormServer({ [searchRoute]: () => json({ error: 'Later.', code: 'busy' }, status) });
    expect(await failureIn(search())).toMatchObject({ text: 'Later.', transient: true });
  });

  test('[FACE122] asks for a preview of a selfie that the browser cannot display', async () => {
    const server = mockFormServer(found);
    await search();
    await search({ selfies: [{ image: new Blob(['heic']), preview: null }] });
    expect(server.calls.map(({ form }) => form['preview'])).toEqual([undefined, ['true']]);
  });

  test('[FACE029] [ERR017] fails with the reason when there is no error message', async () => {
    mockFormServer({ [searchRoute]: () => new Response('<html>', { status: 502 }) });
    expect((await failureIn(search())).text).toBe(
      'Failed to search for photos: the server answered 502. Please try again.',
    );
    mockFormServer({ [searchRoute]: () => Promise.reject(new TypeError('network')) });
    expect((await failureIn(search())).text).toBe(
      'Failed to search for photos: the server could not be reached. Please try again.',
    );
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect((await failureIn(search())).text).toBe(
      'Failed to search for photos: you are offline. Please try again.',
    );
  });
});
