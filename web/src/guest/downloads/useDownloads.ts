import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { saveBlob, saveFile } from '../../ui/saveFile';
import { useSnackbar } from '../../ui/useSnackbar';
import { delay } from '../../platform/delay';
import { storedDownloads } from '../../platform/storage/resultsStorage';
import { useStored } from '../../platform/storage/useStored';
import { type Match, matchId } from '../search/matches';
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
  sentToBrowserText,
  shareFailedText,
} from './downloads';
import { bulkFileName, singleFileName, webFileName } from './fileNames';
import type { Offer, Offered } from './offered';
import { fetchDownloadUrl, fetchPhoto, fetchWebUrl } from './photos';
import { memoryLimit, type SavingMethod, shareBatchSize, shareLimit } from './platform';
import { newRound, orNewRound, restOf, type ShareRest, type ShareRound } from './shareRounds';
import {
  combineTokens,
  fetchZipSize,
  type Renewed,
  startZipDownload,
  zipFailedText,
  zipStartedText,
} from './zips';

const originalPorts: DownloadPorts = { fetchDownloadUrl, fetchPhoto, save: saveBlob, delay };
const webPorts: DownloadPorts = { ...originalPorts, fetchDownloadUrl: fetchWebUrl };

/** Starts a browser download of a path, under the file name that the server sets. */
const startDownload = (path: string): void => saveFile(path, '');

/** Milliseconds after which a share that the browser has not settled can be repeated. */
export const shareTimeout = 20_000;

/** The state of a bulk download. */
export type BulkRun =
  | { phase: 'idle' }
  | { phase: 'running'; done: number; total: number; purpose: 'saving' | 'sharing' }
  /** The ZIP is requested, or the search repeated because its token has expired. */
  | { phase: 'zipping' }
  /** Fetched; sharing needs another tap. `pending`: the share sheet is open. */
  | { phase: 'ready'; photos: FetchedPhoto[]; step: ShareStep | null; pending: boolean };

/** How a batch changes the round of which it was fetched; null for one photo by itself. */
interface ShareStep {
  from: ShareRound;
  to: ShareRound;
}

interface FetchedPhoto {
  id: string;
  file: File;
}

export interface Downloads {
  offered: Offered;
  keepsNames: boolean;
  method: SavingMethod;
  states: DownloadStates;
  /** The ids of the photos that were saved on this device. */
  saved: ReadonlySet<string>;
  bulk: BulkRun;
  /** Saves one photo by the method of this browser. */
  download: (match: Match, position: number) => void;
  cancel: (match: Match) => void;
  downloadAll: (matches: readonly Match[]) => void;
  /** Downloads photos as one ZIP; `renew` returns new tokens if those have expired. */
  downloadZip: (
    matches: readonly Match[],
    tokens: readonly string[],
    renew: (signal: AbortSignal) => Promise<Renewed | null>,
  ) => void;
  /** Saves the web size of one photo. */
  downloadWeb: (match: Match, position: number) => void;
  /** Fetches one photo for the share sheet. */
  shareOne: (match: Match) => void;
  /** Lets the browser save one photo, without knowing whether it does. */
  sendToBrowser: (match: Match) => void;
  /** What is still to be shared of photos; `chosen`: they were chosen one by one. */
  shareRest: (matches: readonly Match[], chosen: boolean) => ShareRest;
  /** Fetches the next batch to share. */
  prepareShare: (matches: readonly Match[], chosen: boolean) => void;
  /** Opens the share sheet. `matches`: all photos that are to be shared by now. */
  share: (matches: readonly Match[]) => void;
  /** Goes on to the next batch, where the browser does not say that the share sheet is closed. */
  passShare: (matches: readonly Match[]) => void;
  cancelBulk: () => void;
  /** Other photos are to be saved: begins with the first of them. */
  restartShare: () => void;
  /** Photos are chosen one by one from now on: what was shared of an earlier choice is offered again. */
  beginChoice: () => void;
  /** Some of the photos to save have gone: drops what was fetched for the share sheet. */
  dropFetched: () => void;
  /** The photo whose saving needs another browser, or all; null if the guest has not tried. */
  leaving: { match: Match | null } | null;
  /** Shows the way to another browser. */
  leave: (match: Match | null) => void;
  stay: () => void;
}

function storeSavedIds(ids: string[]): void {
  storedDownloads.write([...new Set([...(storedDownloads.read() ?? []), ...ids])]);
}

/** Downloads and shares matched photos, one or all, and stores which were saved. */
export function useDownloads(method: SavingMethod, offer: Offer): Downloads {
  const { downloads: offered, keeps_names: keepsNames } = offer;
  // Photographers are given originals on this page too, and see what their guests do.
  const [ports, nameOf] = offered === 'web' ? [webPorts, webFileName] : [originalPorts, singleFileName];
  const show = useSnackbar();
  const [states, report] = useReducer(downloadsReducer, {});
  const [bulk, setBulk] = useState<BulkRun>({ phase: 'idle' });
  const [round, setRound] = useState(newRound);
  const [leaving, setLeaving] = useState<{ match: Match | null } | null>(null);
  const savedIds = useStored(storedDownloads);
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

  const sendToBrowser = async (match: Match) => {
    if (match.s3_key === null) {
      show({ tone: 'error', text: notAvailableText() });
      return;
    }
    try {
      startDownload(await ports.fetchDownloadUrl(match.s3_key, new AbortController().signal));
      show({ tone: 'success', text: sentToBrowserText() });
    } catch {
      show({ tone: 'error', text: downloadFailedText() });
    }
  };

  const saveOne = async (match: Match, name: string, photoPorts: DownloadPorts = ports) => {
    const id = matchId(match);
    const controller = new AbortController();
    singles.current.set(id, controller);
    const saved = await downloadMatch(match, name, photoPorts, report, controller.signal);
    singles.current.delete(id);
    if (saved) storeSavedIds([id]);
    if (saved) show({ tone: 'success', text: downloadedText() });
    else if (!controller.signal.aborted) show({ tone: 'error', text: downloadFailedText() });
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
    matches,
    tokens,
    renew,
  ) => {
    const { signal } = startController();
    setBulk({ phase: 'zipping' });
    try {
      const ids = matches.flatMap(({ photo_id }) => photo_id ?? []);
      const zipPorts = { combineTokens, fetchSize: fetchZipSize, renewTokens: renew, startDownload };
      const { photos, bytes } = await startZipDownload(tokens, ids, zipPorts, signal);
      show({ tone: 'success', text: zipStartedText(photos, bytes, ids.length) });
    } catch (error) {
      if (signal.aborted) return;
      show({ tone: 'error', text: zipFailedText(error) });
    }
    setBulk({ phase: 'idle' });
  };

  /** A batch that is counted already, or of a round that has ended, changes nothing. */
  const takeStep = (step: ShareStep | null, matches: readonly Match[]) =>
    setRound((current) => (current === step?.from ? orNewRound(step.to, matches) : current));

  /** `early`: without a tap of its own, which the browser may refuse. */
  const openShareSheet = async (
    photos: FetchedPhoto[],
    step: ShareStep | null,
    matches: readonly Match[],
    early = false,
  ) => {
    const setPending = (pending: boolean) =>
      setBulk((run) => (run.phase === 'ready' && run.photos === photos ? { ...run, pending } : run));
    setPending(true);
    const timer = setTimeout(() => setPending(false), shareTimeout);
    try {
      await navigator.share({ files: photos.map(({ file }) => file) });
      storeSavedIds(photos.map(({ id }) => id));
      takeStep(step, matches);
      setBulk((run) => (run.phase === 'ready' && run.photos === photos ? { phase: 'idle' } : run));
    } catch (error) {
      // Closing the share sheet is no error. The photos stay ready to share in any case.
      const name = error instanceof DOMException ? error.name : '';
      const expected = name === 'AbortError' || (early && name === 'NotAllowedError');
      if (!expected) show({ tone: 'error', text: shareFailedText() });
    } finally {
      clearTimeout(timer);
      setPending(false);
    }
  };

  /** `handled`: the photos before these in the round; null for one photo by itself, which is in none. */
  const fetchForSharing = async (
    rest: readonly Match[],
    handled: readonly Match[] | null = null,
    chosen = false,
  ) => {
    const limit = shareLimit();
    const from = handled?.length ?? 0;
    const batch = rest.slice(0, shareBatchSize(rest, limit));
    if (batch.length === 0) {
      show({ tone: 'error', text: nothingToDownloadText() });
      return;
    }
    const { signal, follow } = startBulk('sharing', batch.length);
    const photos: FetchedPhoto[] = [];
    let bytes = 0;
    let fetched = 0;
    const cut = new Set<string>();
    const note = (event: DownloadEvent) => {
      if (event.type === 'failed' && event.transient) cut.add(event.id);
      follow(event);
    };
    for (const match of batch) {
      const id = matchId(match);
      const photo = await fetchMatch(match, ports, note, signal);
      if (signal.aborted) return;
      // It begins the next batch: passed over, it would be missed without a word. With none before it the next one shows
      // whether the connection is lost or this photo alone takes too long, which would stop every batch.
      if (cut.has(id) && (photos.length > 0 || cut.size > 1)) break;
      if (photo !== null) {
        report({ type: 'cancelled', id });
        bytes += photo.size;
        // Their sizes may not have been known before; what is too much begins the next batch.
        if (bytes > limit.bytes && photos.length > 0) break;
        const name = bulkFileName(match, from + fetched + 1);
        photos.push({ id, file: new File([photo], name, { type: photo.type || 'image/jpeg' }) });
      }
      fetched += 1;
      const done = fetched;
      setBulk((run) => (run.phase === 'running' ? { ...run, done } : run));
    }
    if (photos.length > 0) {
      const ids = [...(handled ?? []), ...batch.slice(0, fetched)].map(matchId);
      const step = handled === null ? null : { from: round, to: { chosen, handled: new Set(ids) } };
      setBulk({ phase: 'ready', photos, step, pending: false });
      // Of one photo the tap is often recent enough for the sheet to open at once; otherwise the bar asks for another.
      if (handled === null) await openShareSheet(photos, step, rest, true);
    } else {
      setBulk({ phase: 'idle' });
      show(bulkMessage(0, batch.length));
    }
  };

  const cancelBulk = () => {
    bulkController.current?.abort();
    setBulk({ phase: 'idle' });
  };
  const dropFetched = () => {
    if (bulk.phase === 'ready' || (bulk.phase === 'running' && bulk.purpose === 'sharing')) cancelBulk();
  };

  const stay = useCallback(() => setLeaving(null), []);
  const download = (match: Match, place: number) => {
    if (!isDownloadable(match)) {
      show({ tone: 'error', text: notAvailableText() });
      return;
    }
    if (method === 'leave') setLeaving({ match });
    else if ((match.size_bytes ?? 0) > memoryLimit) void sendToBrowser(match);
    else if (method === 'share') void fetchForSharing([match]);
    else void saveOne(match, nameOf(match, place));
  };

  return {
    offered,
    keepsNames,
    method,
    states,
    saved: new Set(savedIds),
    bulk,
    download,
    cancel: (match) => singles.current.get(matchId(match))?.abort(),
    downloadAll: (matches) => void saveAll(matches),
    downloadZip: (matches, tokens, renew) => void saveZip(matches, tokens, renew),
    downloadWeb: (match, place) => {
      if (method === 'leave') setLeaving({ match });
      else if (match.s3_key === null) show({ tone: 'error', text: notAvailableText() });
      else void saveOne(match, webFileName(match, place), webPorts);
    },
    shareOne: (match) => void fetchForSharing([match]),
    sendToBrowser: (match) => void sendToBrowser(match),
    shareRest: (matches, chosen) => restOf(round, matches, chosen),
    prepareShare: (matches, chosen) => {
      const { rest, handled } = restOf(round, matches, chosen);
      void fetchForSharing(rest, handled, chosen);
    },
    share: (matches) => {
      if (bulk.phase === 'ready' && !bulk.pending) void openShareSheet(bulk.photos, bulk.step, matches);
    },
    passShare: (matches) => {
      if (bulk.phase === 'ready') takeStep(bulk.step, matches);
      cancelBulk();
    },
    cancelBulk,
    restartShare: () => {
      setRound(newRound());
      dropFetched();
    },
    beginChoice: () => setRound((current) => (current.chosen ? newRound() : current)),
    dropFetched,
    leaving,
    leave: (match) => setLeaving({ match }),
    stay,
  };
}
