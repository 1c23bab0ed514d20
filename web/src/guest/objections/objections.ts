import { t } from '@lingui/core/macro';
import type { components } from '../../platform/api/schema.gen';
import { withTimeout } from '../../platform/api/withTimeout';
import { NOTICE_VERSION } from '../capture/privacyNotice';
import { request } from '../request';
import { REMOVAL_NOTICE_VERSION } from './notice';

export type RemovalPreview = components['schemas']['ObjectionPreviewBody'];
export type Choice = 'hide' | 'stop_finding';

/** Milliseconds. */
const timeout = 60_000;

const failedText = () => t`This did not work. Please check your connection and try again.`;

/** The side to which the head is to be turned, with what goes with the photos. */
export type Challenge = components['schemas']['ChallengeBody'];

/** The second photo of a live capture. */
export interface Turned {
  image: Blob;
  challenge: string;
}

/** Has the server draw the side for a live capture. Throws an `ApiError`. */
export const drawSide = (slug: string, signal: AbortSignal): Promise<Challenge> =>
  request<Challenge>(
    `/api/face/objections/${encodeURIComponent(slug)}/challenge`,
    { body: {}, signal: withTimeout(signal, timeout) },
    failedText(),
  );

/** Shows which photos could be hidden; with `turned` by a live capture. Throws an `ApiError`. */
export function searchForRemoval(
  slug: string,
  image: Blob,
  face: number | null,
  turned: Turned | null,
  signal: AbortSignal,
): Promise<RemovalPreview> {
  const form = new FormData();
  form.append('image', image, 'selfie');
  if (face !== null) form.append('face', String(face));
  if (turned !== null) {
    form.append('turned_image', turned.image, 'turned');
    form.append('challenge', turned.challenge);
  }
  form.append('notice_version', NOTICE_VERSION);
  return request<RemovalPreview>(
    `/api/face/objections/${encodeURIComponent(slug)}`,
    { body: form, signal: withTimeout(signal, timeout) },
    failedText(),
  );
}

/** Whether the photographer decides first, and the receipt where descriptions of the face were removed. */
export type Asked = components['schemas']['ObjectedBody'];

/** Asks for one of the two, with the token of what was shown. Throws an `ApiError`. */
export function askForRemoval(token: string, choice: Choice): Promise<Asked> {
  const signal = withTimeout(new AbortController().signal, timeout);
  const body = { token, choice, notice_version: REMOVAL_NOTICE_VERSION };
  return request<Asked>('/api/face/objections', { body, signal }, failedText());
}

/** What is shown of a thrown error; that of a selfie that cannot be read is no `ApiError`. */
export const removalErrorText = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : failedText();
