import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { Horizon } from '../../shared/components/Horizon';
import { Icon } from '../../shared/components/Icon';
import type { Match } from './matches';
import { bulkWay, canShareFiles, shareLimit, zipPath } from './saving';
import type { Downloads } from './useDownloads';
import { useSnackbarLift } from './useSnackbarLift';

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

function RunningBar({ downloads }: { downloads: Downloads }) {
  const { bulk } = downloads;
  if (bulk.phase !== 'running') return null;
  const verb = bulk.purpose === 'saving' ? 'Saving' : 'Getting';
  return (
    <Row>
      <Box sx={{ flex: 1, display: 'grid', alignContent: 'center', gap: 2, minWidth: 0, px: 2 }}>
        <Box role="status" sx={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
          {verb} {Math.min(bulk.done + 1, bulk.total)} of {bulk.total}
        </Box>
        <Horizon value={(bulk.done / bulk.total) * 100} label={`${verb} photos`} big />
      </Box>
      <Button variant="outlined" onClick={downloads.cancelBulk}>
        Cancel
      </Button>
    </Row>
  );
}

/** The bar at the foot of the results: all photos at one tap, the share sheet, the ZIP. */
export function DownloadBar({
  matches,
  downloadToken,
  downloads,
}: {
  matches: readonly Match[];
  downloadToken: string | null;
  downloads: Downloads;
}) {
  useSnackbarLift(84);
  const { bulk } = downloads;
  const shares = canShareFiles();
  const way = bulkWay({ zip: downloadToken !== null, share: shares });
  const label = (
    <>
      <Icon name="download" size={24} />
      Download All Photos ({matches.length})
    </>
  );
  const next = downloads.shareFrom < matches.length ? downloads.shareFrom : 0;
  const shareName =
    matches.length > shareLimit
      ? `Share photos ${next + 1} to ${Math.min(next + shareLimit, matches.length)}`
      : 'Share photos';

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
          {way === 'zip' && downloadToken !== null ? (
            <Button
              component="a"
              href={zipPath(downloadToken)}
              download
              variant="contained"
              color="primary"
              sx={{ flex: 1, minWidth: 0 }}
            >
              {label}
            </Button>
          ) : (
            <Button
              variant="contained"
              color="primary"
              sx={{ flex: 1, minWidth: 0 }}
              onClick={() =>
                way === 'share' ? downloads.prepareShare(matches) : downloads.downloadAll(matches)
              }
            >
              {label}
            </Button>
          )}
          {downloadToken !== null && way !== 'zip' && (
            <Button
              component="a"
              href={zipPath(downloadToken)}
              download
              variant="outlined"
              aria-label="Download all as one ZIP"
              sx={{ minWidth: 60, p: 0 }}
            >
              ZIP
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
