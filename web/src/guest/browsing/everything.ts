import { t } from '@lingui/core/macro';
import type { EverythingCreated } from '../../platform/api/types';
import { withTimeout } from '../../platform/api/withTimeout';
import { fetchZipSize } from '../downloads/zips';
import { request } from '../request';
import { pageTimeout } from './photoPages';

/** All photos as one ZIP that is ready to be saved. */
export interface Everything {
  token: string;
  photos: number;
  /** Its size; null if unknown. */
  bytes: number | null;
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
  return { token, photos, bytes: await fetchZipSize(token, signal) };
}
