import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useId } from 'react';
import { ProgressBar } from '../../shared/components/ProgressBar';
import { Icon } from '../../shared/components/Icon';
import type { Match } from './matches';
import { bulkDownloadMethod, canShareFiles, maxShareFiles } from './saving';
import type { Downloads } from './useDownloads';
import { useSnackbarOffset } from '../../shared/components/useSnackbarOffset';

const Bar = styled('div')(({ theme }) => ({
  position: 'fixed',
  left: '50%',
  bottom: 0,
  zIndex: theme.zIndex.appBar - 1,
  width: '100%',
  maxWidth: 480,
  padding: '26px 16px max(16px, env(safe-area-inset-bottom))',
  transform: 'translateX(-50%)',
  background: `linear-gradient(transparent, ${theme.vars.palette.background.default} 30%)`,
  '& .MuiButton-root': { minHeight: 60, borderRadius: 18, fontSize: 17 },
  [theme.breakpoints.up('md')]: {
    bottom: 24,
    maxWidth: 520,
    padding: 10,
    borderRadius: 28,
    background: theme.vars.palette.raised,
    boxShadow: theme.vars.palette.shadow.dialog,
  },
}));

const Row = styled('div')({ display: 'flex', gap: 8 });

function RunningBar({ downloads: { bulk, cancelBulk } }: { downloads: Downloads }) {
  if (bulk.phase !== 'running' && bulk.phase !== 'zipping') return null;
  const words =
    bulk.phase === 'zipping'
      ? 'Getting your ZIP ready...'
      : `${bulk.purpose === 'saving' ? 'Saving' : 'Getting'} ${Math.min(bulk.done + 1, bulk.total)} of ${bulk.total}`;
  return (
    <Row>
      <Box sx={{ flex: 1, display: 'grid', alignContent: 'center', gap: 2, minWidth: 0, px: 2 }}>
        <Box role="status" sx={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
          {words}
        </Box>
        {bulk.phase === 'zipping' ? (
          <ProgressBar label={words} large />
        ) : (
          <ProgressBar value={(bulk.done / bulk.total) * 100} label="Photos done" large />
        )}
      </Box>
      <Button variant="outlined" onClick={cancelBulk}>
        Cancel
      </Button>
    </Row>
  );
}

const Hint = styled('small')({ fontSize: 13, fontWeight: 500, lineHeight: 1.2 });

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
    <Bar>
      <RunningBar downloads={downloads} />
      {bulk.phase === 'ready' && (
        <Row>
          <Button variant="contained" color="primary" sx={{ flex: 1, minWidth: 0 }} onClick={downloads.share}>
            <Icon name="share" size={24} />
            Share {bulk.photos.length} photos
          </Button>
          <Button variant="outlined" onClick={downloads.cancelBulk}>
            Cancel
          </Button>
        </Row>
      )}
      {bulk.phase === 'idle' && (
        <Row>
          <Button
            variant="contained"
            color="primary"
            aria-label={`Download All Photos (${matches.length})`}
            aria-describedby={method === 'zip' ? hintId : undefined}
            sx={{ flex: 1, minWidth: 0 }}
            onClick={saveAll}
          >
            <Icon name="download" size={24} />
            <Box component="span" sx={{ display: 'grid', justifyItems: 'start' }}>
              Download All Photos ({matches.length}){method === 'zip' && <Hint id={hintId}>as one ZIP</Hint>}
            </Box>
          </Button>
          {downloadToken !== null && method !== 'zip' && (
            <Button
              variant="outlined"
              aria-label="Download all as one ZIP"
              sx={{ minWidth: 60, px: 4 }}
              onClick={saveZip}
            >
              one ZIP
            </Button>
          )}
          {shares && (
            <Button
              variant="outlined"
              aria-label={shareName}
              sx={{ minWidth: 60, p: 0 }}
              onClick={() => downloads.prepareShare(matches)}
            >
              <Icon name="share" size={24} />
            </Button>
          )}
        </Row>
      )}
    </Bar>
  );
}
