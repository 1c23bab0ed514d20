import type { components } from '../../platform/api/schema.gen';
import { authorizedFetch } from '../../platform/api/authorizedFetch';
import { ApiError, errorOfResponse } from '../../platform/api/errors';
import { withTimeout } from '../../platform/api/withTimeout';
import { webFileName } from '../downloads/fileNames';
import { readAccess, refuseAccess, slugOfPage } from '../pin/access';
import type { Match } from '../search/matches';
import { searchTimeout } from '../search/searchFaces';

/** The search of somebody whose face is kept. */
export type KeptSearch = components['schemas']['KeptPersonBody'];

export interface SoftenedPhoto {
  photo: Blob;
  /** How many faces are softened. */
  count: number;
}

/** Has the server draw a photo in which all faces are softened but those of these searches. Throws an `ApiError`. */
export async function fetchSoftened(
  slug: string,
  key: string,
  searches: readonly KeptSearch[],
  signal: AbortSignal,
  fallback: string,
): Promise<SoftenedPhoto> {
  const page = slugOfPage();
  const proof = readAccess(page);
  let response: Response;
  try {
    response = await authorizedFetch(
      new Request(
        new URL(`/api/face/without-strangers/${encodeURIComponent(slug)}`, window.location.origin),
        {
          method: 'POST',
          signal: withTimeout(signal, searchTimeout),
          body: JSON.stringify({ key, searches }),
          headers: {
            'Content-Type': 'application/json',
            ...(proof !== null && { 'Event-Access': proof }),
          },
        },
      ),
    );
    if (response.ok) {
      return { photo: await response.blob(), count: Number(response.headers.get('Softened-Faces') ?? 0) };
    }
  } catch (cause) {
    throw new ApiError(0, fallback, {}, cause);
  }
  let answer: unknown = null;
  try {
    answer = await response.json();
  } catch {
    // A proxy's error is no JSON.
  }
  const error = errorOfResponse(response, answer, fallback);
  if (error.code === 'event_pin_required') refuseAccess(page, proof);
  throw error;
}

/** The name of the file: that of the web size, so that it never takes the place of the photo itself. */
export const softenedFileName = (match: Match, position: number): string =>
  webFileName(match, position).replace(/(-web)?\.jpg$/, '-without-strangers.jpg');
