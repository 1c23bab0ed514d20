import { styled } from '@mui/material/styles';
import { Icon } from '../../shared/components/Icon';
import { room } from '../../shared/theme/tokens';
import type { DownloadState } from './downloads';

const RoundButton = styled('button')({
  position: 'relative',
  display: 'grid',
  placeItems: 'center',
  width: 44,
  height: 44,
  padding: 0,
  border: 0,
  borderRadius: '50%',
  color: '#FFFFFF',
  backgroundColor: room.scrim,
  boxShadow: 'inset 0 0 0 1px rgb(255 255 255 / .22)',
  cursor: 'pointer',
  '&[data-saved=true]': { color: '#17734A', backgroundColor: '#FFFFFF', boxShadow: 'none' },
  '&[data-failed=true]': { backgroundColor: '#A30F39' },
  '& .ring': { position: 'absolute', inset: 0, transform: 'rotate(-90deg)' },
});

const circumference = 2 * Math.PI * 20;

/** Downloads one photo: shows its progress with a cancel button, and a check mark once it is saved. */
export function DownloadButton({
  position,
  state,
  saved,
  onDownload,
  onCancel,
}: {
  position: number;
  state: DownloadState | undefined;
  saved: boolean;
  onDownload: () => void;
  onCancel: () => void;
}) {
  if (state?.phase === 'downloading') {
    return (
      <RoundButton type="button" aria-label={`Cancel download of photo ${position}`} onClick={onCancel}>
        <svg
          className="ring"
          viewBox="0 0 44 44"
          width={44}
          height={44}
          role="progressbar"
          aria-label={`Downloading photo ${position}`}
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
      </RoundButton>
    );
  }
  const failed = state?.phase === 'failed';
  const name = saved ? `Photo ${position} downloaded, download again` : `Download photo ${position}`;
  return (
    <RoundButton
      type="button"
      aria-label={name}
      data-saved={saved && !failed}
      data-failed={failed}
      onClick={onDownload}
    >
      <Icon name={failed ? 'refresh' : saved ? 'check' : 'download'} />
    </RoundButton>
  );
}
