import { i18n } from '@lingui/core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedReturn, storedToken } from '../storage/storage';
import { setLoginNavigation } from './authorizedFetch';
import { uploadPhoto, type UploadRequest, uploadTimeout } from './upload';

// Large photos travel in one piece here, as where the server takes none in pieces.
vi.mock('./uploadInPieces', () => ({ uploadInPieces: () => Promise.resolve(null) }));

/** A mock XMLHttpRequest that records the request and lets the test respond. */
class FakeRequest {
  static last: FakeRequest;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  headers: Record<string, string> = {};
  timeout = 0;
  status = 0;
  responseText = '';
  body?: FormData;
  onload?: () => void;
  onerror?: () => void;
  ontimeout?: () => void;
  onabort?: () => void;
  opened = '';
  constructor() {
    FakeRequest.last = this;
  }
  open(method: string, path: string) {
    this.opened = `${method} ${path}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(body: FormData) {
    this.body = body;
  }
  abort() {
    this.onabort?.();
  }
  answer(status: number, body: string) {
    this.status = status;
    this.responseText = body;
    this.onload?.();
  }
}

const sized = (size: number) => {
  const file = new File(['x'], 'DSC_0001.jpg', { type: 'image/jpeg' });
  Object.defineProperty(file, 'size', { value: size });
  return file;
};
const send = (overrides: Partial<UploadRequest> = {}) =>
  uploadPhoto({
    hash: () => Promise.resolve(null),
    file: new File(['x'], 'DSC_0001.jpg', { type: 'image/jpeg' }),
    eventId: 'e1',
    replaces: false,
    onProgress: () => undefined,
    signal: new AbortController().signal,
    ...overrides,
  });

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  storedToken.write('secret');
});

describe('uploading a photo', () => {
  it('says before the file that it takes the place of the photo of its name [UPL245]', async () => {
    const outcome = send({ replaces: true });
    expect([...(FakeRequest.last.body?.keys() ?? [])]).toEqual(['event_id', 'replace', 'photos']);
    expect(FakeRequest.last.body?.get('replace')).toBe('true');
    FakeRequest.last.answer(200, '{"id":"p1","duplicate":false,"replaced":true}');
    expect(await outcome).toMatchObject({ kind: 'accepted', duplicate: false });
  });

  it('posts the file and its event with the token [UPL056] [API047]', async () => {
    const outcome = send();
    const request = FakeRequest.last;
    expect(request.opened).toBe('POST /api/photos/upload');
    expect(request.headers['Authorization']).toBe('Bearer secret');
    expect((request.body?.get('photos') as File).name).toBe('DSC_0001.jpg');
    expect(request.body?.getAll('photos')).toHaveLength(1);
    expect(request.body?.get('event_id')).toBe('e1');
    expect(request.body?.has('replace')).toBe(false);
    request.answer(201, '{"id":"p1","duplicate":false}');
    expect(await outcome).toMatchObject({ kind: 'accepted', duplicate: false, photo: { id: 'p1' } });
  });

  it('omits the event when there is none', () => {
    void send({ eventId: null });
    expect(FakeRequest.last.body?.has('event_id')).toBe(false);
  });

  it('reports progress and duplicates [UPL058]', async () => {
    const onProgress = vi.fn();
    const outcome = send({ onProgress });
    FakeRequest.last.upload.onprogress?.({ loaded: 3, total: 4 });
    expect(onProgress).toHaveBeenCalledWith(3, 4);
    FakeRequest.last.answer(200, '{"id":"p1","duplicate":true}');
    expect(await outcome).toMatchObject({ kind: 'accepted', duplicate: true });
  });

  it('has a timeout of the larger of 5 minutes and 1 minute per MB [UPL059] [CONST009] (U55) (X29)', async () => {
    expect(uploadTimeout(1)).toBe(300_000);
    expect(uploadTimeout(5 * 1_048_576)).toBe(300_000);
    expect(uploadTimeout(20 * 1_048_576)).toBe(1_200_000);
    void send({ file: sized(20 * 1_048_576) });
    await vi.waitFor(() => expect(FakeRequest.last.timeout).toBe(1_200_000));
  });

  it('has an unknown outcome after a timeout, a network error and 504 [UPL020] [UPL021] [UPL022]', async () => {
    const ends: ((request: FakeRequest) => void)[] = [
      (request) => request.ontimeout?.(),
      (request) => request.onerror?.(),
      (request) => request.answer(504, ''),
    ];
    for (const end of ends) {
      const outcome = send();
      end(FakeRequest.last);
      expect(await outcome).toEqual({ kind: 'unknown' });
    }
  });

  it('is rejected otherwise, with the error of the server when there is one [UPL029] [UPL030]', async () => {
    let outcome = send();
    FakeRequest.last.answer(413, '{"error":"The photo is larger than 100 MB","code":"photo_too_large"}');
    expect(await outcome).toEqual({
      kind: 'rejected',
      status: 413,
      error: 'The photo is larger than 100 MB',
      code: 'photo_too_large',
    });
    outcome = send();
    FakeRequest.last.answer(500, '<html>');
    expect(await outcome).toEqual({ kind: 'rejected', status: 500, error: undefined });
  });

  it('is rejected in the language of the page', async () => {
    const messages = {
      'refusal.photo_too_large': ['फ़ोटो 100 MB से बड़ी है'],
      'refusal.sign_in_required': ['लॉग इन करें।'],
    };
    i18n.loadAndActivate({ locale: 'hi', locales: 'hi-IN', messages });
    let outcome = send();
    FakeRequest.last.answer(413, '{"error":"The photo is larger than 100 MB","code":"photo_too_large"}');
    expect(await outcome).toMatchObject({ kind: 'rejected', error: 'फ़ोटो 100 MB से बड़ी है' });
    setLoginNavigation(vi.fn());
    outcome = send();
    FakeRequest.last.answer(401, '{"error":"Please log in to continue.","code":"sign_in_required"}');
    await outcome;
    expect(storedReturn.read()?.reason).toBe('लॉग इन करें।');
    i18n.loadAndActivate({ locale: 'en', locales: 'en-IN', messages: {} });
  });

  it('clears the session on 401 [API005]', async () => {
    const login = vi.fn();
    setLoginNavigation(login);
    const outcome = send();
    FakeRequest.last.answer(401, '{}');
    expect(await outcome).toMatchObject({ kind: 'rejected', status: 401 });
    expect(login).toHaveBeenCalled();
    expect(storedToken.read()).toBeNull();
  });

  it('can be aborted before and during the request (U52)', async () => {
    const control = new AbortController();
    const outcome = send({ signal: control.signal });
    control.abort();
    expect(await outcome).toEqual({ kind: 'aborted' });
    expect(await send({ signal: control.signal })).toEqual({ kind: 'aborted' });
  });
});
