import { t } from '@lingui/core/macro';
import { ApiError } from '../../platform/api/errors';
import { sameOrigin } from '../../platform/api/links';
import type { DownloadLinksBody } from '../../platform/api/types';
import { withTimeout } from '../../platform/api/withTimeout';
import { request } from '../request';

/** Milliseconds. */
export const downloadUrlTimeout = 10_000;
/** Milliseconds without a byte after which the download of a photo fails; there is no limit on a whole file. */
export const photoStallTimeout = 30_000;

export const noDownloadUrlText = (): string => t`No download URL received from server`;

/** Fresh links to a photo, which make a browser that navigates to them save the file. Sizes in bytes. */
export interface DownloadLinks {
  original: { url: string; bytes: number | null };
  /** A JPEG whose long side is at most 2048 px; null while there is none. */
  web: { url: string; bytes: number | null } | null;
}

/** Fetches fresh links to a photo by the key of its original. */
export async function fetchDownloadLinks(key: string, signal: AbortSignal): Promise<DownloadLinks> {
  const body = await request<Partial<DownloadLinksBody>>(
    `/api/photos/download-by-s3?${new URLSearchParams({ key })}`,
    { signal: withTimeout(signal, downloadUrlTimeout) },
    t`The server gave no link`,
  );
  const { download_url, size_bytes = null, web_url, web_size_bytes = null } = body;
  if (typeof download_url !== 'string' || download_url === '') throw new Error(noDownloadUrlText());
  return {
    original: { url: download_url, bytes: size_bytes },
    web: typeof web_url === 'string' && web_url !== '' ? { url: web_url, bytes: web_size_bytes } : null,
  };
}

/** Fetches a fresh download URL of the original. */
export const fetchDownloadUrl = async (key: string, signal: AbortSignal): Promise<string> =>
  (await fetchDownloadLinks(key, signal)).original.url;

/** Fetches a fresh download URL of the web size. */
export async function fetchWebUrl(key: string, signal: AbortSignal): Promise<string> {
  const { web } = await fetchDownloadLinks(key, signal);
  if (web === null) throw new Error(noDownloadUrlText());
  return web.url;
}

/** A signal that aborts with `signal`, or with a `TimeoutError` when `progressed` is not called for `milliseconds`. */
function withStallTimeout(signal: AbortSignal, milliseconds: number) {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const progressed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      controller.abort(new DOMException('No byte arrived', 'TimeoutError'));
    }, milliseconds);
  };
  const abort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  progressed();
  return {
    signal: controller.signal,
    progressed,
    finish: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}

/** Fetches the bytes of a photo; `onProgress` is called with a fraction from 0 to 1 if the length is known. */
export async function fetchPhoto(
  link: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const stall = withStallTimeout(signal, photoStallTimeout);
  try {
    const response = await fetch(sameOrigin(link), { signal: stall.signal });
    if (!response.ok) throw new ApiError(response.status, t`The photo could not be fetched`);
    if (response.body === null) return await response.blob();
    const total = Number(response.headers.get('Content-Length'));
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let received = 0;
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      stall.progressed();
      chunks.push(value);
      received += value.byteLength;
      if (total > 0) onProgress(Math.min(1, received / total));
    }
    if (total > 0 && received < total) throw new TypeError(t`The connection was closed early`);
    return new Blob(chunks, { type: response.headers.get('Content-Type') ?? 'image/jpeg' });
  } finally {
    stall.finish();
  }
}
