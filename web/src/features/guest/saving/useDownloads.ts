import { useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import { saveBlob } from '../../../shared/components/saveFile';
import { useSnackbar } from '../../../shared/components/useSnackbar';
import { delay } from '../../../shared/delay';
import { storedDownloads, subscribeToStorage } from '../../../shared/storage';
import { fetchDownloadUrl, fetchPhoto } from '../search/api';
import { bulkFileName, type Match, matchId, singleFileName } from '../search/matches';
import {
  bulkMessage,
  downloadAll,
  downloadedText,
  type DownloadEvent,
  downloadFailedText,
  downloadMatch,
  type DownloadPorts,
  downloadsReducer,
  type DownloadStates,
  fetchMatch,
  isDownloadable,
  notAvailableText,
  nothingToDownloadText,
} from './downloads';
import { maxShareFiles, startDownload } from './saving';
import { fetchZipSize, startZipDownload, zipFailedText, zipStartedText } from './zips';

const ports: DownloadPorts = { fetchDownloadUrl, fetchPhoto, save: saveBlob, delay };

/** The state of a bulk download. */
export type BulkRun =
  | { phase: 'idle' }
  | { phase: 'running'; done: number; total: number; purpose: 'saving' | 'sharing' }
  /** The ZIP is requested, or the search repeated because its token has expired. */
  | { phase: 'zipping' }
  /** Fetched; sharing needs another tap. `from` counts from 0. */
  | { phase: 'ready'; photos: FetchedPhoto[]; from: number; total: number };

interface FetchedPhoto {
  id: string;
  file: File;
}

export interface Downloads {
  states: DownloadStates;
  /** The ids of the photos that were saved on this device. */
  saved: ReadonlySet<string>;
  bulk: BulkRun;
  download: (match: Match, position: number) => void;
  cancel: (match: Match) => void;
  downloadAll: (matches: readonly Match[]) => void;
  /** Downloads all photos as the ZIP of `token`; `renew` returns a new token if it has expired. */
  downloadZip: (
    token: string,
    photos: number,
    renew: (signal: AbortSignal) => Promise<string | null>,
  ) => void;
  /** The index of the first photo of the next batch to share, from 0. */
  shareFrom: number;
  /** Fetches the next batch to share, at most 25 photos. */
  prepareShare: (matches: readonly Match[]) => void;
  share: () => void;
  cancelBulk: () => void;
}

function storeSavedIds(ids: string[]): void {
  storedDownloads.write([...new Set([...(storedDownloads.read() ?? []), ...ids])]);
}

/** Downloads and shares matched photos, one or all, and stores which were saved. */
export function useDownloads(): Downloads {
  const show = useSnackbar();
  const [states, report] = useReducer(downloadsReducer, {});
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

  const startController = () => {
    bulkController.current?.abort();
    const controller = new AbortController();
    bulkController.current = controller;
    return controller;
  };

  const startBulk = (purpose: 'saving' | 'sharing', total: number) => {
    const controller = startController();
    let done = 0;
    setBulk({ phase: 'running', done, total, purpose });
    const handleEvent = (event: DownloadEvent) => {
      report(event);
      if (event.type === 'completed') storeSavedIds([event.id]);
      if (event.type !== 'completed' && event.type !== 'failed') return;
      done += 1;
      setBulk((run) => (run.phase === 'running' ? { ...run, done } : run));
    };
    return { signal: controller.signal, follow: handleEvent };
  };

  const saveOne = async (match: Match, place: number) => {
    if (!isDownloadable(match)) {
      show({ tone: 'error', text: notAvailableText });
      return;
    }
    const id = matchId(match);
    const controller = new AbortController();
    singles.current.set(id, controller);
    const saved = await downloadMatch(match, singleFileName(match, place), ports, report, controller.signal);
    singles.current.delete(id);
    if (saved) storeSavedIds([id]);
    if (saved) show({ tone: 'success', text: downloadedText });
    else if (!controller.signal.aborted) show({ tone: 'error', text: downloadFailedText });
  };

  const saveAll = async (matches: readonly Match[]) => {
    const { signal, follow } = startBulk('saving', matches.length);
    let saved = 0;
    try {
      saved = await downloadAll(matches, ports, follow, signal);
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
    const { signal } = startController();
    setBulk({ phase: 'zipping' });
    try {
      const size = await startZipDownload(
        token,
        { fetchSize: fetchZipSize, renewToken: renew, startDownload },
        signal,
      );
      show({ tone: 'success', text: zipStartedText(photos, size) });
    } catch (error) {
      if (signal.aborted) return;
      show({ tone: 'error', text: zipFailedText(error) });
    }
    setBulk({ phase: 'idle' });
  };

  const fetchForSharing = async (matches: readonly Match[]) => {
    const from = shareFrom < matches.length ? shareFrom : 0;
    const batch = matches.slice(from, from + maxShareFiles);
    if (batch.length === 0) {
      show({ tone: 'error', text: nothingToDownloadText });
      return;
    }
    const { signal, follow } = startBulk('sharing', batch.length);
    const photos: FetchedPhoto[] = [];
    for (const [index, match] of batch.entries()) {
      const photo = await fetchMatch(match, ports, follow, signal);
      if (signal.aborted) return;
      setBulk((run) => (run.phase === 'running' ? { ...run, done: index + 1 } : run));
      if (photo === null) continue;
      const id = matchId(match);
      report({ type: 'cancelled', id });
      const file = new File([photo], bulkFileName(from + index + 1), { type: photo.type || 'image/jpeg' });
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
      storeSavedIds(bulk.photos.map(({ id }) => id));
      setShareFrom(bulk.from + maxShareFiles < bulk.total ? bulk.from + maxShareFiles : 0);
      setBulk({ phase: 'idle' });
    } catch (error) {
      // Closing the share sheet is no error; the photos stay ready to share.
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
    cancel: (match) => singles.current.get(matchId(match))?.abort(),
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
