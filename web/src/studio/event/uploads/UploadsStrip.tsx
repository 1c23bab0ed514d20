import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ProgressBar } from '../../../ui/ProgressBar';
import { formatCount } from '../../../platform/formats';
import { summaryOf } from './batchSummary';
import { useUploads } from './context';
import { isUploading, type Queue } from './queue';
import { asksForVersions } from './queueHolds';
import { queueStats, type QueueStats } from './queueStats';

export const uploadPath = '/admin/upload';

function stateOf(queue: Queue, stats: QueueStats): string {
  if (!isUploading(queue)) return summaryOf(stats);
  if (queue.outOfCredit) return t`Uploading has stopped: the credit is used up.`;
  if (asksForVersions(queue)) return t`Uploading waits: some photos are there already in another version.`;
  if (queue.overCredit) return t`Uploading waits: the batch is larger than your credit.`;
  if (queue.disconnected) return t`The connection is lost. Uploading goes on by itself.`;
  const done = formatCount(stats.completed);
  const total = formatCount(stats.total);
  const failed = formatCount(stats.failed);
  if (stats.failed === 0)
    return queue.paused ? t`Paused: ${done} of ${total}` : t`Uploading: ${done} of ${total}`;
  return queue.paused
    ? t`Paused: ${done} of ${total}, ${failed} failed`
    : t`Uploading: ${done} of ${total}, ${failed} failed`;
}

/**
 * The progress of the uploads on the other admin screens, as a strip below the navigation bar. It stays until the
 * screen changes after the batch is finished, so that its outcome is seen and nothing moves under the pointer.
 */
export function UploadsStrip() {
  const { queue } = useUploads();
  const { pathname } = useLocation();
  const uploading = isUploading(queue);
  const [shownOn, setShownOn] = useState<string | null>(null);
  if (uploading && shownOn !== pathname) setShownOn(pathname);
  if (pathname === uploadPath || queue.items.length === 0) return null;
  if (!uploading && shownOn !== pathname) return null;
  const stats = queueStats(queue);
  return (
    <Box
      component="section"
      aria-label={t`Uploads`}
      sx={(theme) => ({
        position: 'sticky',
        top: 64,
        zIndex: theme.zIndex.appBar - 1,
        backgroundColor: theme.vars.palette.background.paper,
        borderBottom: 1,
        borderColor: 'divider',
      })}
    >
      <Box
        component={Link}
        to={uploadPath}
        sx={(theme) => ({
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
          gap: 4,
          minHeight: 44,
          px: { xs: 4, md: 8 },
          fontSize: 14,
          fontVariantNumeric: 'tabular-nums',
          color: !uploading && stats.failed > 0 ? theme.vars.palette.error.main : 'text.primary',
          textDecoration: 'none',
          '&:hover': { backgroundColor: theme.vars.palette.hover },
          '&:focus-visible': { outlineOffset: -3 },
        })}
      >
        <span>{stateOf(queue, stats)}</span>
        <Box component="span" sx={{ fontWeight: 600, whiteSpace: 'nowrap' }}>
          {t`Show uploads`}
        </Box>
      </Box>
      {uploading && <ProgressBar label={t`Uploads`} value={stats.percentUploaded} />}
    </Box>
  );
}
