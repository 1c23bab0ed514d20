import { t } from '@lingui/core/macro';
import { authorizedFetch } from '../../platform/api/authorizedFetch';
import { ApiError, errorOfResponse } from '../../platform/api/errors';
import type { components } from '../../platform/api/schema.gen';
import { withTimeout } from '../../platform/api/withTimeout';
import { storedAccess } from '../../platform/storage/storage';

export type Opened = components['schemas']['OpenedSelection'];
export type Choosing = NonNullable<Opened['selection']>;
export type ClientPhoto = components['schemas']['ClientPhotoBody'];
type PhotosBody = components['schemas']['ClientPhotosBody'];
type MarkBody = components['schemas']['MarkBody'];

/** Milliseconds. */
const timeout = 30_000;

/** The proofs of this document that the PIN was entered, by selection, also where the browser keeps nothing. */
const proofs = new Map<string, string | null>();

const storedProof = (secret: string) => storedAccess(`selection:${secret}`);

function readProof(secret: string): string | null {
  if (!proofs.has(secret)) proofs.set(secret, storedProof(secret).read());
  return proofs.get(secret) ?? null;
}

/** Who is told that the PIN is to be entered again. */
let onLocked = () => undefined;

export function tellLocked(listener: () => undefined): void {
  onLocked = listener;
}

/** The PIN was set or changed since this device has entered it. */
function dropProof(secret: string): void {
  proofs.set(secret, null);
  storedProof(secret).remove();
}

/** Calls the API about a selection. Throws an `ApiError`, whose message is the server's or `fallback`. */
async function call<Body>(
  secret: string,
  path: string,
  { method = 'GET', body, signal }: { method?: 'GET' | 'POST' | 'PUT'; body?: object; signal?: AbortSignal },
  fallback: string,
): Promise<Body> {
  const proof = readProof(secret);
  let response: Response;
  let answer: unknown;
  try {
    response = await authorizedFetch(
      new Request(new URL(`/api/selections/${encodeURIComponent(secret)}${path}`, window.location.origin), {
        method,
        signal: withTimeout(signal ?? new AbortController().signal, timeout),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headers: {
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(proof !== null && { 'Event-Access': proof }),
        },
      }),
    );
    // A proxy's error is no JSON.
    answer = response.ok ? await response.json() : await response.json().catch(() => null);
  } catch (cause) {
    throw new ApiError(0, fallback, {}, cause);
  }
  if (response.ok) return answer as Body;
  const error = errorOfResponse(response, answer, fallback);
  if (error.code === 'client_pin_required') {
    // A late answer to what was sent before the PIN was entered says nothing about the new proof.
    if (readProof(secret) === proof) dropProof(secret);
    onLocked();
  }
  throw error;
}

export const fetchSelection = (secret: string, signal: AbortSignal): Promise<Opened> =>
  call(secret, '', { signal }, t`The photos could not be loaded. Please check your connection.`);

/** A page of the photos, or of those that are chosen. */
export function fetchPhotos(
  secret: string,
  chosen: boolean,
  cursor: string | null,
  signal: AbortSignal,
): Promise<PhotosBody> {
  const query = new URLSearchParams({ limit: '120' });
  if (chosen) query.set('chosen', 'true');
  if (cursor !== null) query.set('cursor', cursor);
  const fallback = t`The photos could not be loaded. Please check your connection.`;
  return call(secret, `/photos?${query.toString()}`, { signal }, fallback);
}

/** Saves what a client has marked a photo with. */
export const putMark = (
  secret: string,
  photo: string,
  mark: { chosen?: boolean; comment?: string },
): Promise<MarkBody> =>
  call(
    secret,
    `/photos/${encodeURIComponent(photo)}`,
    { method: 'PUT', body: mark },
    t`This is not saved yet. Please check your connection.`,
  );

export const finishSelection = (secret: string, message: string): Promise<unknown> =>
  call(
    secret,
    '/done',
    { method: 'POST', body: { message } },
    t`This did not work. Please check your connection and try again.`,
  );

/** Enters the PIN; this device has access from then on. */
export async function enterClientPin(secret: string, pin: string): Promise<void> {
  const { access_token: proof = null } = await call<{ access_token?: string | null }>(
    secret,
    '/access',
    { method: 'POST', body: { pin } },
    t`This did not work. Please check your connection and try again.`,
  );
  proofs.set(secret, proof);
  if (proof !== null) storedProof(secret).write(proof);
}
