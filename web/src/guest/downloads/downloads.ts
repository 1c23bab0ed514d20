import { plural, t } from '@lingui/core/macro';
import { ApiError } from '../../platform/api/errors';
import { type Match, matchId } from '../search/matches';
import { bulkFileName } from './fileNames';

/** Milliseconds between two downloads of a bulk download: browsers drop downloads that start faster. */
export const bulkDownloadInterval = 500;

/** The side effects of a download. */
export interface DownloadPorts {
  fetchDownloadUrl: (key: string, signal: AbortSignal) => Promise<string>;
  fetchPhoto: (link: string, onProgress: (share: number) => void, signal: AbortSignal) => Promise<Blob>;
  save: (photo: Blob, name: string) => void;
  delay: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** An event of one download; `share` is 0 to 1. `transient`: it failed for the connection, not for the photo. */
export type DownloadEvent =
  | { type: 'started' | 'completed' | 'cancelled'; id: string }
  | { type: 'progressed'; id: string; share: number }
  | { type: 'failed'; id: string; reason: string; transient: boolean };

export type ReportDownload = (event: DownloadEvent) => void;

export const notAvailableText = (): string => t`Download URL not available for this photo.`;
export const nothingToDownloadText = (): string => t`No photos to download.`;
export const downloadedText = (): string => t`Photo downloaded successfully!`;
/** Shown where the page knows no more than that the browser was asked to save a file. */
export const sentToBrowserText = (): string => t`Sent to your browser.`;
export const shareFailedText = (): string =>
  t`The photos could not be shared. They are still here: try again.`;
export const downloadFailedText = (): string => t`Failed to download photo. Please try again.`;

export const isDownloadable = (match: Match): boolean => match.s3_key !== null || match.url !== null;

/** Whether the connection failed. */
function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 0;
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}

/** The reason of a failed request, as text for the user. */
export function failureReason(error: unknown): string {
  const cause = error instanceof ApiError && error.status === 0 ? error.cause : error;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return t`The connection is too slow`;
  // `fetch` throws a TypeError for network errors; its message differs between browsers.
  if (cause instanceof TypeError)
    return navigator.onLine ? t`The server could not be reached` : t`You are offline`;
  return cause instanceof Error && cause.message !== '' ? cause.message : t`The photo could not be fetched`;
}

/** Fetches one photo and reports its events. Returns null if it failed or was cancelled. */
export async function fetchMatch(
  match: Match,
  ports: Pick<DownloadPorts, 'fetchDownloadUrl' | 'fetchPhoto'>,
  report: ReportDownload,
  signal: AbortSignal,
): Promise<Blob | null> {
  const id = matchId(match);
  report({ type: 'started', id });
  try {
    const link = match.s3_key === null ? match.url : await ports.fetchDownloadUrl(match.s3_key, signal);
    if (link === null) throw new Error(notAvailableText());
    return await ports.fetchPhoto(link, (share) => report({ type: 'progressed', id, share }), signal);
  } catch (error) {
    if (signal.aborted) report({ type: 'cancelled', id });
    else report({ type: 'failed', id, reason: failureReason(error), transient: isTransient(error) });
    return null;
  }
}

/** Saves one photo as a file. Returns whether it was saved. */
export async function downloadMatch(
  match: Match,
  name: string,
  ports: DownloadPorts,
  report: ReportDownload,
  signal: AbortSignal,
): Promise<boolean> {
  const photo = await fetchMatch(match, ports, report, signal);
  if (photo === null) return false;
  ports.save(photo, name);
  report({ type: 'completed', id: matchId(match) });
  return true;
}

/** Saves all photos sequentially; a failure does not stop the others. Returns the number of saved photos. */
export async function downloadAll(
  matches: readonly Match[],
  ports: DownloadPorts,
  report: ReportDownload,
  signal: AbortSignal,
): Promise<number> {
  let saved = 0;
  for (const [index, match] of matches.entries()) {
    if (index > 0 && !signal.aborted) await ports.delay(bulkDownloadInterval, signal);
    if (signal.aborted) break;
    if (await downloadMatch(match, bulkFileName(match, index + 1), ports, report, signal)) saved += 1;
  }
  return saved;
}

/** The message after a bulk download in which `saved` of `total` photos were saved. */
export function bulkMessage(saved: number, total: number): { tone: 'success' | 'error'; text: string } {
  if (total === 0) return { tone: 'error', text: nothingToDownloadText() };
  if (saved === total) {
    const text = plural(total, {
      one: 'All # photos downloaded successfully.',
      other: 'All # photos downloaded successfully.',
    });
    return { tone: 'success', text };
  }
  if (saved > 0)
    return { tone: 'success', text: t`${saved} out of ${total} photos downloaded successfully.` };
  const text = plural(total, {
    one: 'Failed to download photo. Please try downloading them individually.',
    other: 'Failed to download some photos. Please try downloading them individually.',
  });
  return { tone: 'error', text };
}

/** The state of one download. */
export type DownloadState = { phase: 'downloading'; share: number } | { phase: 'failed'; reason: string };

export type DownloadStates = Readonly<Record<string, DownloadState>>;

/** The states of running and failed downloads; completed and cancelled ones are removed. */
export function downloadsReducer(states: DownloadStates, event: DownloadEvent): DownloadStates {
  switch (event.type) {
    case 'started':
      return { ...states, [event.id]: { phase: 'downloading', share: 0 } };
    case 'progressed':
      return { ...states, [event.id]: { phase: 'downloading', share: event.share } };
    case 'failed':
      return { ...states, [event.id]: { phase: 'failed', reason: event.reason } };
    case 'completed':
    case 'cancelled': {
      const { [event.id]: gone, ...rest } = states;
      return gone === undefined ? states : rest;
    }
  }
}
