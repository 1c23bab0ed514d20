import { plural, t } from '@lingui/core/macro';
import { useRef } from 'react';
import { Icon } from '../../ui/Icon';
import { ProgressBar } from '../../ui/ProgressBar';
import { useSnackbarAbove } from '../../ui/useSnackbarAbove';
import { Button } from '../Button';
import type { Match } from '../search/matches';
import styles from './DownloadBar.module.css';
import { bulkSavingMethod, canShareFiles, shareBatchSize, shareLimit } from './platform';
import type { BulkRun, Downloads } from './useDownloads';
import type { Renewed } from './zips';

function runningText(bulk: Extract<BulkRun, { phase: 'running' | 'zipping' }>): string {
  if (bulk.phase === 'zipping') return t`Getting your ZIP ready...`;
  const { total, purpose } = bulk;
  const current = Math.min(bulk.done + 1, total);
  return purpose === 'saving' ? t`Saving ${current} of ${total}` : t`Getting ${current} of ${total}`;
}

function RunningBar({ downloads: { bulk, cancelBulk } }: { downloads: Downloads }) {
  if (bulk.phase !== 'running' && bulk.phase !== 'zipping') return null;
  const words = runningText(bulk);
  return (
    <div className={styles['row']}>
      <div className={styles['running']}>
        <div className={styles['status']} role="status">
          {words}
        </div>
        {bulk.phase === 'zipping' ? (
          <ProgressBar label={words} large />
        ) : (
          <ProgressBar value={(bulk.done / bulk.total) * 100} label={t`Photos done`} large />
        )}
      </div>
      <Button look="outlined" className={styles['button']} onClick={cancelBulk}>
        {t`Cancel`}
      </Button>
    </div>
  );
}

/** The photos are fetched: the share sheet opens only by a tap of its own. */
function ReadyBar({
  matches,
  downloads,
  saves,
}: {
  matches: readonly Match[];
  downloads: Downloads;
  saves: boolean;
}) {
  const { bulk } = downloads;
  if (bulk.phase !== 'ready') return null;
  const count = bulk.photos.length;
  return (
    <div className={styles['row']}>
      <Button
        look="filled"
        className={`${styles['button']} ${styles['main']}`}
        disabled={bulk.pending}
        onClick={() => downloads.share(matches)}
      >
        <Icon name="share" size={24} />
        <span className={styles['words']}>
          {saves
            ? plural(count, { one: 'Save # photo to Photos', other: 'Save # photos to Photos' })
            : plural(count, { one: 'Share # photo', other: 'Share # photos' })}
          {saves && ' '}
          {saves && (
            <small>{plural(count, { one: 'Choose ‘Save Image’', other: 'Choose ‘Save # Images’' })}</small>
          )}
        </span>
      </Button>
      <Button
        look="outlined"
        className={styles['button']}
        onClick={() => (bulk.pending ? downloads.passShare(matches) : downloads.cancelBulk())}
      >
        {bulk.pending ? t`Done` : t`Cancel`}
      </Button>
    </div>
  );
}

/** The bar at the bottom of the results: all photos or the chosen ones, one by one, as ZIP or by the share sheet. */
export function DownloadBar({
  matches,
  chosen,
  bestOfEach = false,
  onlyChosen = false,
  downloadTokens,
  downloads,
  onChoose,
  renewDownloadTokens,
}: {
  /** The photos to save. */
  matches: readonly Match[];
  /** The photos were chosen one by one. */
  chosen: boolean;
  /** Others that are like these are left out. */
  bestOfEach?: boolean;
  /** Photos are saved together only where they were chosen so. */
  onlyChosen?: boolean;
  downloadTokens: readonly string[];
  downloads: Downloads;
  /** Begins or ends the choice of photos. */
  onChoose: () => void;
  /** Repeats the search for fresh tokens. */
  renewDownloadTokens: (signal: AbortSignal) => Promise<Renewed | null>;
}) {
  const { bulk, method } = downloads;
  const count = matches.length;
  const zips = downloadTokens.length > 0 && method !== 'leave';
  const bulkMethod = bulkSavingMethod(method, zips);
  // The ZIP is of equal weight where photos are saved one by one.
  const equal = zips && bulkMethod === 'one by one';
  // With a button for it, the bar has two rows on a narrow screen.
  const twoRows = zips && bulkMethod !== 'zip';
  const content = useRef<HTMLDivElement>(null);
  useSnackbarAbove(content);
  const shares = canShareFiles() && method === 'file';
  const { rest, handled } = downloads.shareRest(matches, chosen);
  const batch = shareBatchSize(rest, shareLimit());
  const [first, last] = [handled.length + 1, handled.length + batch];
  const saveZip = () => downloads.downloadZip(matches, downloadTokens, renewDownloadTokens);
  const saveAll = {
    zip: saveZip,
    share: () => downloads.prepareShare(matches, chosen),
    leave: () => downloads.leave(null),
    'one by one': () => downloads.downloadAll(matches),
  }[bulkMethod];
  const hint =
    bulkMethod === 'zip'
      ? t`as one ZIP`
      : bulkMethod === 'share'
        ? batch < count
          ? t`to Photos, ${first} to ${last}`
          : t`to Photos`
        : bestOfEach && !chosen
          ? t`the best of each moment`
          : null;
  const areAll = !chosen && !bestOfEach;

  return (
    <div className={styles['bar']}>
      <div ref={content}>
        <RunningBar downloads={downloads} />
        <ReadyBar matches={matches} downloads={downloads} saves={method === 'share'} />
        {bulk.phase === 'idle' && (
          <div className={styles['row']}>
            <Button
              look="filled"
              className={`${styles['button']} ${styles['main']} ${twoRows ? styles['first'] : ''}`}
              disabled={count === 0}
              onClick={saveAll}
            >
              <Icon name="download" size={24} />
              <span className={styles['words']}>
                {areAll ? t`Download All Photos (${count})` : t`Download Photos (${count})`}
                {/* The space is heard, not seen. */} {hint !== null && <small>{hint}</small>}
              </span>
            </Button>
            {zips && bulkMethod !== 'zip' && (
              <Button
                look="outlined"
                className={`${styles['button']} ${equal ? styles['equal'] : styles['zip']}`}
                aria-label={areAll ? t`Download all as one ZIP` : t`Download ${count} as one ZIP`}
                disabled={count === 0}
                onClick={saveZip}
              >
                {equal && <Icon name="download" size={24} />}
                {t`One ZIP`}
              </Button>
            )}
            {method !== 'leave' && (
              <Button
                look="outlined"
                className={`${styles['button']} ${styles['only']}`}
                aria-label={chosen ? (onlyChosen ? t`Cancel` : t`Choose all`) : t`Choose photos`}
                onClick={onChoose}
              >
                <Icon name={chosen ? 'close' : 'grid'} size={24} />
              </Button>
            )}
            {shares && !chosen && (
              <Button
                look="outlined"
                className={`${styles['button']} ${styles['only']}`}
                aria-label={batch < count ? t`Share photos ${first} to ${last}` : t`Share photos`}
                disabled={count === 0}
                onClick={() => downloads.prepareShare(matches, chosen)}
              >
                <Icon name="share" size={24} />
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
