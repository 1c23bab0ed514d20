import { t } from '@lingui/core/macro';
import { ApiError } from '../../platform/api/errors';
import type { EverythingCreated } from '../../platform/api/types';
import { withTimeout } from '../../platform/api/withTimeout';
import { delay } from '../../platform/delay';
import { fetchZipSize } from '../downloads/zips';
import { request } from '../request';
import { pageTimeout } from './photoPages';

/** How often the size is asked for: where previews get a watermark, each is drawn once before it is known. */
const attempts = 20;
/** Milliseconds between two of them. */
const pause = 1000;

/** All photos as one ZIP that is ready to be saved. */
export interface Everything {
  token: string;
  photos: number;
  /** Its size; null if unknown. */
  bytes: number | null;
}

/** The answer took too long, and the server goes on where it has stopped. */
const isSlow = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 503 || (error.cause instanceof DOMException && error.cause.name === 'TimeoutError'));

async function sizeOf(token: string, signal: AbortSignal): Promise<number | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchZipSize(token, signal);
    } catch (error) {
      if (!isSlow(error) || attempt === attempts || signal.aborted) throw error;
    }
    await delay(pause, signal);
    signal.throwIfAborted();
  }
}

/** Makes the ZIP of all photos that guests may look at, or of those in an album, of photos that are alike the best alone where that is wanted, and asks for its size. */
export async function prepareEverything(
  slug: string,
  album: string | null,
  onlyBest: boolean,
  signal: AbortSignal,
): Promise<Everything> {
  const { download_token: token, photos } = await request<EverythingCreated>(
    `/api/face/photos/${encodeURIComponent(slug)}/download`,
    { body: { album_id: album, only_best: onlyBest }, signal: withTimeout(signal, pageTimeout) },
    t`The photos could not be loaded. Please check your connection.`,
  );
  return { token, photos, bytes: await sizeOf(token, signal) };
}
