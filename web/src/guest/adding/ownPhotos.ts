import { t } from '@lingui/core/macro';
import { authorizedFetch } from '../../platform/api/authorizedFetch';
import { ApiError, errorOfResponse } from '../../platform/api/errors';
import type { components } from '../../platform/api/schema.gen';
import { type UploadOutcome } from '../../platform/api/uploadOutcomes';
import type { Access } from '../pin/access';
import { deviceOf } from './device';

export type OwnPhotos = components['schemas']['OwnPhotosBody'];
export type OwnPhoto = OwnPhotos['photos'][number];

const pathOf = (slug: string, rest = '') => `/api/face/guest-photos/${slug}${rest}`;

/** A guest of an event, as the server knows them. */
export interface Guest {
  slug: string;
  access: Access;
}

export const guestOf = (slug: string, access: Access): Guest => ({ slug, access });

const headersOf = (slug: string, proof: string | null): Record<string, string> => ({
  'Guest-Device': deviceOf(slug),
  ...(proof !== null && { 'Event-Access': proof }),
});

async function call(
  { slug, access }: Guest,
  rest: string,
  method: string,
  signal?: AbortSignal,
): Promise<Response> {
  const proof = access.readAccess(slug);
  const failed = t`This did not work. Please check your connection and try again.`;
  let response: Response;
  try {
    response = await authorizedFetch(
      new Request(new URL(pathOf(slug, rest), window.location.origin), {
        method,
        headers: headersOf(slug, proof),
        ...(signal !== undefined && { signal }),
      }),
    );
  } catch (cause) {
    throw new ApiError(0, failed, {}, cause);
  }
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  const error = errorOfResponse(response, body, failed);
  if (error.code === 'event_pin_required') access.refuseAccess(slug, proof);
  throw error;
}

/** What this device has added to an event. */
export const readOwnPhotos = async (guest: Guest, signal: AbortSignal): Promise<OwnPhotos> =>
  (await (await call(guest, '', 'GET', signal)).json()) as OwnPhotos;

/** The picture of what waits; no link leads to it. */
export const readThumbnail = async (guest: Guest, id: string, signal: AbortSignal): Promise<Blob> =>
  (await call(guest, `/${id}/thumbnail`, 'GET', signal)).blob();

export const takeBack = async (guest: Guest, id: string): Promise<void> => {
  await call(guest, `/${id}`, 'DELETE');
};

/** Sends a photo in pieces, which go on where they were cut. Null where that is not possible now. */
export async function sendPhoto(
  { slug, access }: Guest,
  file: File,
  name: string,
  onProgress: (sent: number, total: number) => void,
  signal: AbortSignal,
): Promise<UploadOutcome | null> {
  const { uploadInPieces } = await import('../../platform/api/uploadInPieces');
  const proof = access.readAccess(slug);
  const outcome = await uploadInPieces({
    file,
    // Where it goes on is known by the file's name, size and time: nothing here computes its hash.
    hash: () => Promise.resolve(''),
    eventId: null,
    replaces: false,
    onProgress,
    signal,
    to: {
      endpoint: pathOf(slug, '/uploads'),
      key: [slug, file.size, file.lastModified].join(' '),
      headers: headersOf(slug, proof),
      metadata: { name },
    },
  });
  if (outcome?.kind === 'rejected' && outcome.code === 'event_pin_required') access.refuseAccess(slug, proof);
  return outcome;
}
