import { DetailedError, Upload } from 'tus-js-client';
import { storedToken } from '../storage/storage';
import { storedUploadUrls } from '../uploadUrls';
import { parseBody, rejectedUpload, type UploadOutcome, type UploadRequest } from './uploadOutcomes';
import { createWatchdog } from './watchdog';

/** Uploads that go on where they were cut, by the tus protocol; also after a reload, with the same file. */

const endpoint = '/api/photos/uploads';
/** Milliseconds in which something of a piece moves at least; what has moved is not sent again. */
const stallLimit = 60_000;
/** After so many attempts that brought no byte to the server, although it answers, a photo travels in one piece. */
const maxStandstills = 3;
/** After the server has lost a photo so often, it travels in one piece: each request goes to another machine. */
const maxLosses = 2;

/** What has been seen of a file's attempts. */
interface History {
  /** The bytes that were there when the last attempt began. */
  offset: number;
  standstills: number;
  losses: number;
}

const histories = new Map<string, History>();

/** The end of one attempt. `gone`: the server does not know the upload; `closed`: it takes none in pieces. */
type Ending = UploadOutcome | { kind: 'gone' } | { kind: 'closed' };

/** A file that was edited since, even without another size or date, is another one: its bytes do not follow on the old ones. */
const keyOf = ({ file, eventId, replaces, to }: UploadRequest, hash: string) =>
  // The server keeps with an upload whether it replaces.
  [to?.key ?? eventId ?? '', hash, ...(replaces ? ['replaces'] : []), file.name].join(' ');

/** The longest time that a guest's photo waits for room without a word, in seconds. */
const shortWait = 120;

/** Most uploads whose address is remembered; the server forgets each after three days. */
const maxRemembered = 100;

const others = (key: string) => (storedUploadUrls.read() ?? []).filter((upload) => upload.key !== key);
const urlOf = (key: string) => storedUploadUrls.read()?.find((upload) => upload.key === key)?.url ?? null;
const remember = (key: string, url: string) =>
  storedUploadUrls.write([{ key, url }, ...others(key)].slice(0, maxRemembered));
const forget = (key: string) => storedUploadUrls.write(others(key));

/** What an answer says of an upload; null where a later attempt may go on. `isOnlyWay`: it travels in pieces or not at all. */
function endingOf(error: Error, isOnlyWay: boolean): Ending | null {
  // Not about a request: this way does not work here.
  if (!(error instanceof DetailedError)) return { kind: 'closed' };
  if (error.originalResponse === null) return null;
  const status = error.originalResponse.getStatus();
  const body = parseBody(error.originalResponse.getBody());
  const code = (body as { code?: unknown } | null)?.code;
  const wait = Number(error.originalResponse.getHeader('Retry-After') ?? NaN);
  const refusal = () => rejectedUpload(status, body, wait > 0 ? wait : undefined);
  const method = error.originalRequest.getMethod();
  const begins = method === 'POST';
  // There is room again soon.
  if (isOnlyWay && begins && status === 429 && wait > 0 && wait <= shortWait) return null;
  // A server, or a proxy, that does not have this way, or no room left on it.
  if (begins && (code === 'path_not_found' || [405, 412, 429, 501, 507].includes(status))) {
    return isOnlyWay ? refusal() : { kind: 'closed' };
  }
  // The answer to HEAD has no body, and says so to guests alone.
  if (isOnlyWay && method === 'HEAD' && status === 403)
    return { kind: 'rejected', status, error: undefined, code: 'event_pin_required' };
  if (!begins && (code === 'upload_not_found' || (status === 404 && code === undefined))) {
    return { kind: 'gone' };
  }
  // Bytes that did not follow on what is there, or are of two versions of the file: the next attempt hashes it again, and asks first.
  if (code === 'upload_offset_wrong' || code === 'upload_too_long' || status === 460) return null;
  if ([423, 429, 502, 503, 504].includes(status)) return null;
  return refusal();
}

function attempt(request: UploadRequest, hash: string, history: History): Promise<Ending> {
  const { file, eventId, replaces, onProgress, signal, to } = request;
  const key = keyOf(request, hash);
  const url = urlOf(key);
  return new Promise((resolve) => {
    /** The bytes that were there when this attempt began. */
    let offset: number | null = null;
    const cut = (): Ending => {
      const moved = offset !== null && offset > history.offset;
      history.standstills = moved ? 0 : history.standstills + (offset === null ? 0 : 1);
      history.offset = offset ?? history.offset;
      return { kind: 'cut', reached: offset !== null, moved };
    };
    const settle = (ending: Ending) => {
      watchdog.stop();
      signal.removeEventListener('abort', abort);
      resolve(ending);
    };
    const token = storedToken.read();
    const upload = new Upload(file, {
      // Without an address of its own the library would begin anew whatever the answer about the old one is.
      endpoint: url === null ? new URL(to?.endpoint ?? endpoint, window.location.href).href : null,
      uploadUrl: url,
      // The server compares the hash at the end: a file that is edited while it travels has another one.
      metadata: {
        filename: file.name,
        ...(hash !== '' && { blake3: hash }),
        ...(eventId !== null && { event_id: eventId }),
        ...(replaces && { replace: 'true' }),
        ...to?.metadata,
      },
      headers: { ...(token !== null && { Authorization: `Bearer ${token}` }), ...to?.headers },
      // The queue tries again, and decides when.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => {
        if (upload.url !== null) remember(key, upload.url);
      },
      onProgress: (sent, total) => {
        offset ??= sent;
        watchdog.feed(sent >= total);
        onProgress(sent, total);
      },
      onSuccess: ({ lastResponse }) => {
        const duplicate = lastResponse.getHeader('Photo-Duplicate') === 'true';
        const photoId = lastResponse.getHeader('Photo-Id') ?? null;
        settle({ kind: 'accepted', photo: null, photoId, duplicate });
      },
      onError: (error) => settle(endingOf(error, to !== undefined) ?? cut()),
    });
    const abort = () => {
      void upload.abort();
      settle({ kind: 'aborted' });
    };
    const watchdog = createWatchdog(stallLimit, () => {
      void upload.abort();
      settle(cut());
    });
    signal.addEventListener('abort', abort);
    watchdog.feed(false);
    upload.start();
  });
}

/** Uploads one photo in pieces. Never rejects; null if it has to travel in one piece. */
export async function uploadInPieces(request: UploadRequest): Promise<UploadOutcome | null> {
  const hash = await request.hash();
  // Nobody would notice that the file was edited between two pieces.
  if (hash === null) return null;
  const key = keyOf(request, hash);
  const history = histories.get(key) ?? { offset: 0, standstills: 0, losses: 0 };
  histories.set(key, history);
  while (!request.signal.aborted) {
    if (history.losses >= maxLosses || history.standstills >= maxStandstills) {
      // A guest's photo travels in no other way: when it is tried again, that is counted anew.
      if (request.to !== undefined) Object.assign(history, { losses: 0, standstills: 0 });
      return null;
    }
    const ending = await attempt(request, hash, history);
    switch (ending.kind) {
      case 'closed':
        return null;
      case 'gone':
        forget(key);
        history.losses += 1;
        history.offset = 0;
        break;
      case 'cut':
      case 'aborted':
        return ending;
      // What is left is an answer about the photo.
      default:
        // One that nothing pays for yet goes on where it is, as does one whose guest has to enter another PIN.
        if (!(ending.kind === 'rejected' && (ending.status === 402 || ending.code === 'event_pin_required')))
          forget(key);
        histories.delete(key);
        return ending;
    }
  }
  return { kind: 'aborted' };
}
