import { useId } from 'react';
import { Icon } from '../../../shared/components/Icon';
import { ProgressBar } from '../../../shared/components/ProgressBar';
import { useSnackbarOffset } from '../../../shared/components/useSnackbarOffset';
import { Button } from '../Button';
import type { Match } from '../search/matches';
import styles from './DownloadBar.module.css';
import { bulkDownloadMethod, canShareFiles, maxShareFiles } from './saving';
import type { Downloads } from './useDownloads';

function RunningBar({ downloads: { bulk, cancelBulk } }: { downloads: Downloads }) {
  if (bulk.phase !== 'running' && bulk.phase !== 'zipping') return null;
  const words =
    bulk.phase === 'zipping'
      ? 'Getting your ZIP ready...'
      : `${bulk.purpose === 'saving' ? 'Saving' : 'Getting'} ${Math.min(bulk.done + 1, bulk.total)} of ${bulk.total}`;
  return (
    <div className={styles['row']}>
      <div className={styles['running']}>
        <div className={styles['status']} role="status">
          {words}
        </div>
        {bulk.phase === 'zipping' ? (
          <ProgressBar label={words} large />
        ) : (
          <ProgressBar value={(bulk.done / bulk.total) * 100} label="Photos done" large />
        )}
      </div>
      <Button look="outlined" className={styles['button']} onClick={cancelBulk}>
        Cancel
      </Button>
    </div>
  );
}

/** The bar at the bottom of the results: bulk download, ZIP and share sheet. */
export function DownloadBar({
  matches,
  downloadToken,
  downloads,
  renewDownloadToken,
}: {
  matches: readonly Match[];
  downloadToken: string | null;
  downloads: Downloads;
  /** Repeats the search for a fresh token. */
  renewDownloadToken: (signal: AbortSignal) => Promise<string | null>;
}) {
  useSnackbarOffset(88, 116);
  const hintId = useId();
  const { bulk } = downloads;
  const shares = canShareFiles();
  const method = bulkDownloadMethod({ zip: downloadToken !== null, share: shares });
  const next = downloads.shareFrom < matches.length ? downloads.shareFrom : 0;
  const shareName =
    matches.length > maxShareFiles
      ? `Share photos ${next + 1} to ${Math.min(next + maxShareFiles, matches.length)}`
      : 'Share photos';
  const saveZip = () => {
    if (downloadToken !== null) downloads.downloadZip(downloadToken, matches.length, renewDownloadToken);
  };
  const saveAll = {
    zip: saveZip,
    share: () => downloads.prepareShare(matches),
    'one by one': () => downloads.downloadAll(matches),
  }[method];

  return (
    <div className={styles['bar']}>
      <RunningBar downloads={downloads} />
      {bulk.phase === 'ready' && (
        <div className={styles['row']}>
          <Button look="filled" className={`${styles['button']} ${styles['main']}`} onClick={downloads.share}>
            <Icon name="share" size={24} />
            Share {bulk.photos.length} photos
          </Button>
          <Button look="outlined" className={styles['button']} onClick={downloads.cancelBulk}>
            Cancel
          </Button>
        </div>
      )}
      {bulk.phase === 'idle' && (
        <div className={styles['row']}>
          <Button
            look="filled"
            className={`${styles['button']} ${styles['main']}`}
            aria-label={`Download All Photos (${matches.length})`}
            aria-describedby={method === 'zip' ? hintId : undefined}
            onClick={saveAll}
          >
            <Icon name="download" size={24} />
            <span className={styles['words']}>
              Download All Photos ({matches.length})
              {method === 'zip' && <small id={hintId}>as one ZIP</small>}
            </span>
          </Button>
          {downloadToken !== null && method !== 'zip' && (
            <Button
              look="outlined"
              className={`${styles['button']} ${styles['zip']}`}
              aria-label="Download all as one ZIP"
              onClick={saveZip}
            >
              one ZIP
            </Button>
          )}
          {shares && (
            <Button
              look="outlined"
              className={`${styles['button']} ${styles['only']}`}
              aria-label={shareName}
              onClick={() => downloads.prepareShare(matches)}
            >
              <Icon name="share" size={24} />
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
