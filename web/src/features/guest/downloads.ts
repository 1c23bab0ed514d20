import { ApiError } from '../../shared/api/errors';
import { bulkName, idOf, type Match } from './matches';

/** Milliseconds between two photos of one run: browsers drop saves that come faster. */
export const bulkGap = 500;

/** What a download does to the world outside. */
export interface Steps {
  linkFor: (key: string, signal: AbortSignal) => Promise<string>;
  fetchPhoto: (link: string, onProgress: (share: number) => void, signal: AbortSignal) => Promise<Blob>;
  save: (photo: Blob, name: string) => void;
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** One photo on its way: `share` runs from 0 to 1. */
export type DownloadEvent =
  | { type: 'started' | 'completed' | 'cancelled'; id: string }
  | { type: 'progressed'; id: string; share: number }
  | { type: 'failed'; id: string; reason: string };

export type Report = (event: DownloadEvent) => void;

export const notAvailableText = 'Download URL not available for this photo.';
export const nothingToDownloadText = 'No photos to download.';
export const downloadedText = 'Photo downloaded successfully!';
export const downloadFailedText = 'Failed to download photo. Please try again.';

export const canBeDownloaded = (match: Match): boolean => match.s3_key !== null || match.url !== null;

/** Why something could not be fetched, in words for the person who waits for it. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof ApiError && error.status === 0 ? error.cause : error;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return 'The connection is too slow';
  // What `fetch` throws when nothing came back, worded by each browser in its own way.
  if (cause instanceof TypeError)
    return navigator.onLine ? 'The server could not be reached' : 'You are offline';
  return cause instanceof Error && cause.message !== '' ? cause.message : 'The photo could not be fetched';
}

/** Fetches one photo and says how it goes. Answers null when it failed or was called off. */
export async function fetchMatch(
  match: Match,
  steps: Pick<Steps, 'linkFor' | 'fetchPhoto'>,
  report: Report,
  signal: AbortSignal,
): Promise<Blob | null> {
  const id = idOf(match);
  report({ type: 'started', id });
  try {
    const link = match.s3_key === null ? match.url : await steps.linkFor(match.s3_key, signal);
    if (link === null) throw new Error(notAvailableText);
    return await steps.fetchPhoto(link, (share) => report({ type: 'progressed', id, share }), signal);
  } catch (error) {
    report(signal.aborted ? { type: 'cancelled', id } : { type: 'failed', id, reason: reasonOf(error) });
    return null;
  }
}

/** Saves one photo as a file. Answers whether it was saved. */
export async function downloadMatch(
  match: Match,
  name: string,
  steps: Steps,
  report: Report,
  signal: AbortSignal,
): Promise<boolean> {
  const photo = await fetchMatch(match, steps, report, signal);
  if (photo === null) return false;
  steps.save(photo, name);
  report({ type: 'completed', id: idOf(match) });
  return true;
}

/** Saves all photos one after the other; one that fails stops nothing. Answers how many were saved. */
export async function downloadAll(
  matches: readonly Match[],
  steps: Steps,
  report: Report,
  signal: AbortSignal,
): Promise<number> {
  let saved = 0;
  for (const [index, match] of matches.entries()) {
    if (index > 0 && !signal.aborted) await steps.pause(bulkGap, signal);
    if (signal.aborted) break;
    if (await downloadMatch(match, bulkName(index + 1), steps, report, signal)) saved += 1;
  }
  return saved;
}

/** What to say after a run in which `saved` of `total` photos were saved. */
export function bulkMessage(saved: number, total: number): { tone: 'success' | 'error'; text: string } {
  if (total === 0) return { tone: 'error', text: nothingToDownloadText };
  if (saved === total) return { tone: 'success', text: `All ${total} photos downloaded successfully.` };
  if (saved > 0) return { tone: 'success', text: `${saved} out of ${total} photos downloaded successfully.` };
  const what = total === 1 ? 'photo' : 'some photos';
  return { tone: 'error', text: `Failed to download ${what}. Please try downloading them individually.` };
}

/** How one photo stands. */
export type DownloadState = { phase: 'downloading'; share: number } | { phase: 'failed'; reason: string };

export type DownloadStates = Readonly<Record<string, DownloadState>>;

/** What is known of every photo that is under way or failed; one that is done or called off leaves the record. */
export function reduceDownloads(states: DownloadStates, event: DownloadEvent): DownloadStates {
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
