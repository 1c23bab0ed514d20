import { i18n, type Messages } from '@lingui/core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedToken } from '../storage/storage';
import { storedUploadUrls } from '../uploadUrls';
import { uploadInPieces } from './uploadInPieces';
import { uploadPhoto, type UploadRequest } from './upload';

interface Options {
  endpoint: string | null;
  uploadUrl: string | null;
  metadata: Record<string, string>;
  headers: Record<string, string>;
  onUploadUrlAvailable: () => void;
  onProgress: (sent: number, total: number) => void;
  onSuccess: (payload: { lastResponse: { getHeader: (name: string) => string | undefined } }) => void;
  onError: (error: Error) => void;
}

/** A mock of the library that records each upload and lets the test settle it. */
const tus = vi.hoisted(() => ({
  uploads: [] as { options: Options; url: string | null; aborted: boolean }[],
}));
vi.mock('tus-js-client', () => {
  class DetailedError extends Error {
    readonly originalRequest: unknown;
    readonly originalResponse: unknown;
    constructor(request: unknown, response: unknown) {
      super('tus');
      this.originalRequest = request;
      this.originalResponse = response;
    }
  }
  class Upload {
    aborted = false;
    readonly options: Options;
    url: string | null;
    constructor(_: File, options: Options) {
      this.options = options;
      this.url = options.uploadUrl;
    }
    start() {
      tus.uploads.push(this);
    }
    abort() {
      this.aborted = true;
      return Promise.resolve();
    }
  }
  return { DetailedError, Upload };
});

const { DetailedError } = (await import('tus-js-client')) as unknown as {
  DetailedError: new (request: unknown, response: unknown) => Error;
};

let files = 0;
/** A file of 9 MB that no test has uploaded before. */
const newFile = (size = 9_437_184) => {
  const file = new File(['x'], `DSC_${(files += 1)}.jpg`, { type: 'image/jpeg', lastModified: 1 });
  Object.defineProperty(file, 'size', { value: size });
  return file;
};
const settled = () => vi.advanceTimersByTimeAsync(0);

/** The hash of each file is its name, until it is edited. */
const hashOf = (file: File) => () => Promise.resolve(`hash of ${file.name}`);
const request = (overrides: Partial<UploadRequest> = {}): UploadRequest => {
  const file = overrides.file ?? newFile();
  return {
    file,
    hash: hashOf(file),
    eventId: 'e1',
    replaces: false,
    onProgress: () => undefined,
    signal: new AbortController().signal,
    ...overrides,
  };
};
/** Where a guest's goes. */
const to = { endpoint: '/api/face/guest-photos/x/uploads', key: 'x', headers: {}, metadata: {} };
/** Begins an upload, whose file is hashed first. */
const send = async (overrides: Partial<UploadRequest> = {}) => {
  const outcome = uploadInPieces(request(overrides));
  await settled();
  return { outcome };
};

const last = () => {
  const upload = tus.uploads.at(-1);
  if (upload === undefined) throw new Error('no upload was begun');
  return upload;
};

const address = 'http://localhost:3000/api/photos/uploads/u1';
/** The server has told the address of the upload, and how much of it is there. */
const reach = (sent: number) => {
  last().url ??= address;
  last().options.onUploadUrlAvailable();
  last().options.onProgress(sent, 9_437_184);
};
const cut = () => last().options.onError(new DetailedError({ getMethod: () => 'PATCH' }, null));
const refuse = (method: string, status: number, body: unknown = null, retryAfter?: string) => {
  const response = {
    getStatus: () => status,
    getBody: () => JSON.stringify(body),
    getHeader: (name: string) => (name === 'Retry-After' ? retryAfter : undefined),
  };
  last().options.onError(new DetailedError({ getMethod: () => method }, response));
};
const succeed = (duplicate = 'false') =>
  last().options.onSuccess({
    lastResponse: {
      getHeader: (name) => ({ 'Photo-Duplicate': duplicate, 'Photo-Id': 'p1' })[name],
    },
  });

beforeEach(() => {
  vi.useFakeTimers();
  tus.uploads = [];
  localStorage.clear();
  storedToken.write('secret');
});

describe('an upload in pieces', () => {
  it('begins with the file’s name, its event and the session', async () => {
    const progress = vi.fn();
    const { outcome } = await send({ onProgress: progress });
    const { options } = last();
    expect(options.endpoint).toBe(new URL('/api/photos/uploads', location.href).href);
    expect(options.metadata).toEqual({
      filename: `DSC_${files}.jpg`,
      blake3: `hash of DSC_${files}.jpg`,
      event_id: 'e1',
    });
    expect(options.headers).toEqual({ Authorization: 'Bearer secret' });
    reach(0);
    options.onProgress(5, 10);
    expect(progress).toHaveBeenLastCalledWith(5, 10);
    succeed('true');
    expect(await outcome).toEqual({ kind: 'accepted', photo: null, photoId: 'p1', duplicate: true });
    expect(storedUploadUrls.read()).toEqual([]);
  });

  it('replaces by an upload of its own, also where one that does not was begun [UPL245]', async () => {
    const file = newFile();
    await send({ file });
    reach(0);
    cut();
    const { outcome } = await send({ file, replaces: true });
    expect(last().options).toMatchObject({ uploadUrl: null, metadata: { replace: 'true' } });
    succeed();
    expect(await outcome).toMatchObject({ kind: 'accepted' });
  });

  it('goes on where it was cut, and says whether anything has moved', async () => {
    const file = newFile();
    let { outcome } = await send({ file });
    reach(0);
    cut();
    expect(await outcome).toEqual({ kind: 'cut', reached: true, moved: false });
    ({ outcome } = await send({ file }));
    expect(last().options).toMatchObject({ uploadUrl: address, endpoint: null });
    reach(5_000_000);
    cut();
    expect(await outcome).toEqual({ kind: 'cut', reached: true, moved: true });
    ({ outcome } = await send({ file }));
    cut();
    expect(await outcome).toEqual({ kind: 'cut', reached: false, moved: false });
    ({ outcome } = await send({ file }));
    reach(9_000_000);
    succeed();
    expect(await outcome).toMatchObject({ kind: 'accepted', duplicate: false });
  });

  it('goes on after a reload, with the same bytes of the same event alone [UPL212]', async () => {
    const file = newFile();
    await send({ file });
    reach(0);
    await send({ file, eventId: 'e2' });
    expect(last().options.uploadUrl).toBeNull();
    await send();
    expect(last().options.uploadUrl).toBeNull();
    // Edited, with the size and the date it had.
    await send({ file, hash: () => Promise.resolve('another') });
    expect(last().options.uploadUrl).toBeNull();
    expect(last().options.metadata).toMatchObject({ blake3: 'another' });
    await send({ file: new File([file], file.name, { lastModified: 2 }) });
    expect(last().options.uploadUrl).toBe(address);
    await send({ file });
    expect(last().options.uploadUrl).toBe(address);
  });

  it('begins anew when the server has lost it, and travels in one piece when that happens again', async () => {
    const { outcome } = await send();
    reach(0);
    refuse('HEAD', 404);
    await settled();
    expect(tus.uploads).toHaveLength(2);
    expect(last().options.uploadUrl).toBeNull();
    reach(0);
    refuse('PATCH', 404, { error: 'It is gone.', code: 'upload_not_found' });
    expect(await outcome).toBeNull();
  });

  it('is hashed again when pieces of two versions were put together [UPL212]', async () => {
    const file = newFile();
    const { outcome } = await send({ file });
    reach(5_000_000);
    refuse('PATCH', 460, { error: 'Other bytes', code: 'upload_checksum_wrong' });
    expect(await outcome).toMatchObject({ kind: 'cut', moved: true });
    await send({ file, hash: () => Promise.resolve('edited') });
    expect(last().options).toMatchObject({ uploadUrl: null, metadata: { blake3: 'edited' } });
  });

  it('travels in one piece where it cannot be hashed, and not at all when it ends meanwhile', async () => {
    expect(await (await send({ hash: () => Promise.resolve(null) })).outcome).toBeNull();
    const controller = new AbortController();
    const { outcome } = await send({
      hash: () => {
        controller.abort();
        return Promise.resolve('hash');
      },
      signal: controller.signal,
    });
    expect(await outcome).toEqual({ kind: 'aborted' });
    expect(tus.uploads).toEqual([]);
  });

  it('travels in one piece where the server, or a proxy, does not take it in pieces', async () => {
    for (const [status, body] of [
      [404, { error: 'No such path', code: 'path_not_found' }],
      [405, null],
      [429, { error: 'Too many', code: 'too_many_requests' }],
      [507, { error: 'No room', code: 'disk_full' }],
    ] as const) {
      const { outcome } = await send();
      refuse('POST', status, body);
      expect(await outcome).toBeNull();
    }
    const { outcome: broken } = await send();
    last().options.onError(new Error('not about a request'));
    expect(await broken).toBeNull();
  });

  it('travels in one piece when three attempts brought nothing to a server that answers', async () => {
    const file = newFile();
    for (let attempts = 0; attempts < 3; attempts += 1) {
      const { outcome } = await send({ file });
      reach(0);
      cut();
      expect(await outcome).toMatchObject({ kind: 'cut' });
    }
    expect(await (await send({ file })).outcome).toBeNull();
  });

  it('of a guest, who has no other way, is tried anew after that [UPL268]', async () => {
    const file = newFile();
    const attempt = async () => (await send({ file, hash: () => Promise.resolve(''), to })).outcome;
    const standStill = async () => {
      const { outcome } = await send({ file, hash: () => Promise.resolve(''), to });
      reach(5_000_000);
      cut();
      return outcome;
    };
    for (let attempts = 0; attempts < 4; attempts += 1) await standStill();
    expect(await attempt()).toBeNull();
    // It goes on where it was, and what was there before has not moved.
    expect(await standStill()).toEqual({ kind: 'cut', reached: true, moved: false });
    expect(last().options.uploadUrl).toBe(address);
    for (const method of ['HEAD', 'HEAD']) {
      const { outcome } = await send({ file, hash: () => Promise.resolve(''), to });
      refuse(method, 404);
      await settled();
      reach(0);
      refuse(method, 404);
      expect(await outcome).toBeNull();
    }
  });

  it('of a guest, who has no other way, says why it cannot begin, but waits for room that is there soon', async () => {
    // [FACE558]
    const refused = async (status: number, code: string, retryAfter?: string) => {
      const { outcome } = await send({ to });
      refuse('POST', status, { error: 'In English', code }, retryAfter);
      return outcome;
    };
    expect(await refused(507, 'disk_full')).toMatchObject({ kind: 'rejected', error: 'In English' });
    const messages: Messages = { 'refusal.too_many_requests': [['wait'], ' बाद फिर से कोशिश करें।'] };
    i18n.loadAndActivate({ locale: 'hi', locales: 'hi-IN', messages });
    expect(await refused(429, 'too_many_requests', '2400')).toMatchObject({
      kind: 'rejected',
      error: '40 मिनट बाद फिर से कोशिश करें।',
    });
    i18n.loadAndActivate({ locale: 'en', locales: 'en-IN', messages: {} });
    expect(await refused(429, 'too_many_requests', '120')).toMatchObject({ kind: 'cut', reached: false });
    for (const wait of ['121', undefined])
      expect(await refused(429, 'too_many_requests', wait)).toMatchObject({ kind: 'rejected', status: 429 });
  });

  it.each([
    ['HEAD', null],
    ['PATCH', { error: 'Please enter the PIN.', code: 'event_pin_required' }],
  ])('of a guest goes on where it was once another PIN is entered: %s [FACE558]', async (method, body) => {
    const file = newFile();
    await send({ file, to });
    reach(5_000_000);
    cut();
    const { outcome } = await send({ file, to });
    refuse(method, 403, body);
    expect(await outcome).toMatchObject({ kind: 'rejected', code: 'event_pin_required' });
    await send({ file, to });
    expect(last().options.uploadUrl).toBe(address);
  });

  it('is cut by an answer that a later attempt changes, and refused by any other', async () => {
    for (const [status, code] of [
      [409, 'upload_offset_wrong'],
      [429, 'too_many_requests'],
      [503, 'busy'],
      [504, undefined],
    ] as const) {
      const { outcome } = await send();
      reach(0);
      refuse('PATCH', status, { error: 'Later.', code });
      expect(await outcome).toMatchObject({ kind: 'cut' });
    }
    for (const status of [400, 402, 500]) {
      const { outcome } = await send();
      reach(0);
      refuse('PATCH', status, { error: 'No.', code: 'any' });
      expect(await outcome).toEqual({ kind: 'rejected', status, error: 'No.', code: 'any' });
    }
    const { outcome: closed } = await send();
    refuse('POST', 409, { error: 'This event is being deleted', code: 'event_being_deleted' });
    const error = 'This event is being deleted';
    expect(await closed).toEqual({ kind: 'rejected', status: 409, error, code: 'event_being_deleted' });
  });

  it('keeps what waits for credit, and forgets what was refused', async () => {
    const file = newFile();
    const { outcome: unpaid } = await send({ file });
    reach(0);
    refuse('PATCH', 402, { error: 'Credit', code: 'insufficient_credits' });
    await unpaid;
    expect(storedUploadUrls.read()).toHaveLength(1);
    const { outcome: refused } = await send({ file });
    refuse('PATCH', 400, { error: 'No image', code: 'not_an_image' });
    await refused;
    expect(storedUploadUrls.read()).toEqual([]);
  });

  it('that stands still for a minute is cut; the answer to its last byte may take longer', async () => {
    const { outcome } = await send();
    reach(0);
    for (let minute = 0; minute < 5; minute += 1) {
      await vi.advanceTimersByTimeAsync(59_000);
      last().options.onProgress(1000 * minute, 9_437_184);
    }
    expect(last().aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(last().aborted).toBe(true);
    expect(await outcome).toMatchObject({ kind: 'cut', reached: true });
    const { outcome: waiting } = await send();
    reach(9_437_184);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(last().aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await waiting).toMatchObject({ kind: 'cut' });
  });

  it('ends when it is aborted', async () => {
    const controller = new AbortController();
    const { outcome } = await send({ signal: controller.signal });
    controller.abort();
    expect(await outcome).toEqual({ kind: 'aborted' });
    expect(last().aborted).toBe(true);
  });

  it('is how photos of 5 MB and more travel, and no others', async () => {
    const opened = vi.fn();
    vi.stubGlobal(
      'XMLHttpRequest',
      class {
        upload = {};
        open = opened;
        // The mock looks at no headers, and never answers.
        setRequestHeader = vi.fn();
        send = vi.fn();
      },
    );
    const sized = (size: number) => request({ file: newFile(size) });
    void uploadPhoto(sized(5_242_879));
    expect(opened).toHaveBeenCalledWith('POST', '/api/photos/upload');
    void uploadPhoto(sized(5_242_880));
    await vi.waitFor(() => expect(tus.uploads).toHaveLength(1));
    refuse('POST', 405);
    await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(2));
  });
});
