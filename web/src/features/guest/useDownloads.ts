import { useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { delay } from '../../shared/delay';
import { storedDownloads, subscribeToStorage } from '../../shared/storage';
import {
  bulkMessage,
  canBeDownloaded,
  downloadAll,
  downloadedText,
  type DownloadEvent,
  downloadFailedText,
  downloadMatch,
  type DownloadStates,
  fetchMatch,
  notAvailableText,
  nothingToDownloadText,
  reduceDownloads,
  type Steps,
} from './downloads';
import { bulkName, idOf, type Match, singleName } from './matches';
import { fetchPhoto, linkFor } from './requests';
import { saveBlob, shareLimit, startDownload } from './saving';
import { sizeOfZip, startZip, zipFailedText, zipStartedText } from './zips';

const steps: Steps = { linkFor, fetchPhoto, save: saveBlob, pause: delay };

/** How a run over all photos stands. */
export type BulkRun =
  | { phase: 'idle' }
  | { phase: 'running'; done: number; total: number; purpose: 'saving' | 'sharing' }
  /** The server is asked for the ZIP, or the search made again whose ZIP has run out. */
  | { phase: 'zipping' }
  /** Fetched and waiting for the tap that opens the share sheet; `from` counts from 0. */
  | { phase: 'ready'; photos: Fetched[]; from: number; total: number };

interface Fetched {
  id: string;
  file: File;
}

export interface Downloads {
  states: DownloadStates;
  /** The ids of the photos that were ever saved on this device. */
  saved: ReadonlySet<string>;
  bulk: BulkRun;
  download: (match: Match, place: number) => void;
  cancel: (match: Match) => void;
  downloadAll: (matches: readonly Match[]) => void;
  /** Downloads all photos as the one ZIP that `token` names; `renew` gives another token when it has run out. */
  downloadZip: (
    token: string,
    photos: number,
    renew: (signal: AbortSignal) => Promise<string | null>,
  ) => void;
  /** Where the next batch for the share sheet begins, counted from 0. */
  shareFrom: number;
  /** Fetches that batch, 25 photos at most. */
  prepareShare: (matches: readonly Match[]) => void;
  share: () => void;
  cancelBulk: () => void;
}

function rememberSaved(ids: string[]): void {
  storedDownloads.write([...new Set([...(storedDownloads.read() ?? []), ...ids])]);
}

/** Saves and shares matched photos, one at a time or all, and remembers which were saved. */
export function useDownloads(): Downloads {
  const show = useSnackbar();
  const [states, report] = useReducer(reduceDownloads, {});
  const [bulk, setBulk] = useState<BulkRun>({ phase: 'idle' });
  const [shareFrom, setShareFrom] = useState(0);
  const savedIds = useSyncExternalStore(subscribeToStorage, storedDownloads.read);
  const singles = useRef(new Map<string, AbortController>());
  const bulkController = useRef<AbortController | null>(null);

  useEffect(() => {
    const running = singles.current;
    return () => {
      for (const controller of running.values()) controller.abort();
      bulkController.current?.abort();
    };
  }, []);

  const takeOver = () => {
    bulkController.current?.abort();
    const controller = new AbortController();
    bulkController.current = controller;
    return controller;
  };

  const startBulk = (purpose: 'saving' | 'sharing', total: number) => {
    const controller = takeOver();
    let done = 0;
    setBulk({ phase: 'running', done, total, purpose });
    const follow = (event: DownloadEvent) => {
      report(event);
      if (event.type === 'completed') rememberSaved([event.id]);
      if (event.type !== 'completed' && event.type !== 'failed') return;
      done += 1;
      setBulk((run) => (run.phase === 'running' ? { ...run, done } : run));
    };
    return { signal: controller.signal, follow };
  };

  const saveOne = async (match: Match, place: number) => {
    if (!canBeDownloaded(match)) {
      show({ tone: 'error', text: notAvailableText });
      return;
    }
    const id = idOf(match);
    const controller = new AbortController();
    singles.current.set(id, controller);
    const saved = await downloadMatch(match, singleName(match, place), steps, report, controller.signal);
    singles.current.delete(id);
    if (saved) rememberSaved([id]);
    if (saved) show({ tone: 'success', text: downloadedText });
    else if (!controller.signal.aborted) show({ tone: 'error', text: downloadFailedText });
  };

  const saveAll = async (matches: readonly Match[]) => {
    const { signal, follow } = startBulk('saving', matches.length);
    let saved = 0;
    try {
      saved = await downloadAll(matches, steps, follow, signal);
    } finally {
      setBulk({ phase: 'idle' });
    }
    if (!signal.aborted || saved > 0) show(bulkMessage(saved, matches.length));
  };

  const saveZip: (...asked: Parameters<Downloads['downloadZip']>) => Promise<void> = async (
    token,
    photos,
    renew,
  ) => {
    const { signal } = takeOver();
    setBulk({ phase: 'zipping' });
    try {
      const size = await startZip(token, { sizeOf: sizeOfZip, renew, start: startDownload }, signal);
      show({ tone: 'success', text: zipStartedText(photos, size) });
    } catch (error) {
      if (signal.aborted) return;
      show({ tone: 'error', text: zipFailedText(error) });
    }
    setBulk({ phase: 'idle' });
  };

  const fetchForSharing = async (matches: readonly Match[]) => {
    const from = shareFrom < matches.length ? shareFrom : 0;
    const batch = matches.slice(from, from + shareLimit);
    if (batch.length === 0) {
      show({ tone: 'error', text: nothingToDownloadText });
      return;
    }
    const { signal, follow } = startBulk('sharing', batch.length);
    const photos: Fetched[] = [];
    for (const [index, match] of batch.entries()) {
      const photo = await fetchMatch(match, steps, follow, signal);
      if (signal.aborted) return;
      setBulk((run) => (run.phase === 'running' ? { ...run, done: index + 1 } : run));
      if (photo === null) continue;
      const id = idOf(match);
      report({ type: 'cancelled', id });
      const file = new File([photo], bulkName(from + index + 1), { type: photo.type || 'image/jpeg' });
      photos.push({ id, file });
    }
    if (photos.length > 0) {
      setBulk({ phase: 'ready', photos, from, total: matches.length });
    } else {
      setBulk({ phase: 'idle' });
      show(bulkMessage(0, batch.length));
    }
  };

  const openShareSheet = async () => {
    if (bulk.phase !== 'ready') return;
    try {
      await navigator.share({ files: bulk.photos.map(({ file }) => file) });
      rememberSaved(bulk.photos.map(({ id }) => id));
      setShareFrom(bulk.from + shareLimit < bulk.total ? bulk.from + shareLimit : 0);
      setBulk({ phase: 'idle' });
    } catch (error) {
      // Closing the sheet is no failure; the photos stay ready for another tap.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      setBulk({ phase: 'idle' });
      show(bulkMessage(0, bulk.photos.length));
    }
  };

  return {
    states,
    saved: new Set(savedIds),
    bulk,
    shareFrom,
    download: (match, place) => void saveOne(match, place),
    cancel: (match) => singles.current.get(idOf(match))?.abort(),
    downloadAll: (matches) => void saveAll(matches),
    downloadZip: (token, photos, renew) => void saveZip(token, photos, renew),
    prepareShare: (matches) => void fetchForSharing(matches),
    share: () => void openShareSheet(),
    cancelBulk: () => {
      bulkController.current?.abort();
      setBulk({ phase: 'idle' });
    },
  };
}
