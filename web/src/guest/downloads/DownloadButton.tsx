import { t } from '@lingui/core/macro';
import { Icon } from '../../ui/Icon';
import { room } from '../../ui/theme/tokens';
import styles from './DownloadButton.module.css';
import type { DownloadState } from './downloads';

const circumference = 2 * Math.PI * 20;

/** Downloads one photo: shows its progress with a cancel button, and a check mark once it is saved. */
export function DownloadButton({
  position,
  tabIndex,
  state,
  saved,
  onDownload,
  onCancel,
}: {
  position: number;
  tabIndex?: number | undefined;
  state: DownloadState | undefined;
  saved: boolean;
  onDownload: () => void;
  onCancel: () => void;
}) {
  if (state?.phase === 'downloading') {
    return (
      <button
        type="button"
        className={styles['round']}
        tabIndex={tabIndex}
        aria-label={t`Cancel download of photo ${position}`}
        onClick={onCancel}
      >
        <svg
          className={styles['ring']}
          viewBox="0 0 44 44"
          width={44}
          height={44}
          role="progressbar"
          aria-label={t`Downloading photo ${position}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(state.share * 100)}
        >
          <circle cx="22" cy="22" r="20" fill="none" stroke="rgb(255 255 255 / .35)" strokeWidth="3" />
          <circle
            cx="22"
            cy="22"
            r="20"
            fill="none"
            stroke={room.lit}
            strokeWidth="3"
            strokeLinecap="round"
            strokeDasharray={`${Math.max(0.04, state.share) * circumference} ${circumference}`}
          />
        </svg>
        <Icon name="close" size={16} />
      </button>
    );
  }
  const failed = state?.phase === 'failed';
  const name = saved ? t`Photo ${position} downloaded, download again` : t`Download photo ${position}`;
  return (
    <button
      type="button"
      className={styles['round']}
      tabIndex={tabIndex}
      aria-label={name}
      data-saved={saved && !failed}
      data-failed={failed}
      onClick={onDownload}
    >
      <Icon name={failed ? 'refresh' : saved ? 'check' : 'download'} />
    </button>
  );
}
