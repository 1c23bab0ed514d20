import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { Event } from '../../../platform/api/types';
import { Alert } from '../../../ui/Alert';
import { useSnackbar } from '../../../ui/useSnackbar';
import { creditsQuery } from '../../shared/credits/credits';
import { manages } from '../../shared/events/sharing/roles';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { formatAmount } from '../../../platform/amounts';
import { useSession } from '../../../platform/session/session';
import { BatchList } from './BatchList';
import { BatchProgress } from './BatchProgress';
import { successText } from './batchSummary';
import { useUploads } from './context';
import { DropZone } from './DropZone';
import { type LeftOut, sortFiles } from './droppedFiles';
import { type Handle } from './fileHandles';
import { useFileHandles } from './useFileHandles';
import { FaceSearchCard } from './FaceSearchCard';
import { FailedUploads } from './FailedUploads';
import { LeftOutFiles } from './LeftOutFiles';
import { MakeAlbums } from './MakeAlbums';
import { ShareEvent } from './ShareEvent';
import { UnfinishedBatchAlert } from './UnfinishedBatchAlert';
import { isUploading, unfinishedFiles } from './queue';
import { filesToPay, isStopped } from './queueHolds';
import { queueStats } from './queueStats';
import { inUploadOrder } from './uploadOrder';
import { isHeldForVersions } from './versions';
import { VersionsNotice } from './VersionsNotice';

function OutOfCredit({ owner, onContinue }: { owner: string | null; onContinue: () => void }) {
  return (
    <Alert tone="warning">
      <Box component="b" sx={{ display: 'block', fontWeight: 600 }}>
        {owner === null
          ? t`Uploading has stopped: the credit is used up.`
          : t`Uploading has stopped: the credit of ${owner} is used up.`}
      </Box>
      {owner === null
        ? t`The rest of the batch waits here.`
        : t`The rest of the batch waits here until ${owner} has added credits.`}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 3 }}>
        {owner === null && (
          <Button
            size="small"
            variant="contained"
            color="primary"
            component={Link}
            to="/admin/overview#add-credits"
          >
            {t`Add credits`}
          </Button>
        )}
        <Button size="small" variant="outlined" onClick={onContinue}>
          {t`Continue uploading`}
        </Button>
      </Box>
    </Alert>
  );
}

function BatchOverCredit({
  photos,
  credits,
  onContinue,
}: {
  photos: number;
  credits: number;
  onContinue: () => void;
}) {
  const amount = formatAmount(credits);
  const missing = formatAmount(photos - credits);
  const covered = Math.floor(credits);
  return (
    <Alert tone="warning">
      <Box component="b" sx={{ display: 'block', fontWeight: 600 }}>
        {t`This batch is larger than your credit: ${plural(photos, { one: '# photos', other: '# photos' })}, ${plural(
          credits,
          {
            one: `${amount} credit`,
            other: `${amount} credits`,
          },
        )}.`}
      </Box>
      {plural(photos - credits, {
        one: `${missing} credit is missing.`,
        other: `${missing} credits are missing.`,
      })}{' '}
      {t`Uploading begins by itself once there is more. Photos go in the order of their time, and what is there already costs nothing.`}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 3 }}>
        <Button
          size="small"
          variant="contained"
          color="primary"
          component={Link}
          to="/admin/overview#add-credits"
        >
          {t`Add credits`}
        </Button>
        {covered > 0 && (
          <Button size="small" variant="outlined" onClick={onContinue}>
            {plural(covered, { one: 'Upload the first photo', other: 'Upload the first # photos' })}
          </Button>
        )}
      </Box>
    </Alert>
  );
}

/** Where the photos go, and who pays for them once that is known. */
function subtitleOf({ name, owner_name }: Event, premium: boolean, credits: number | undefined): string {
  if (owner_name != null) return t`To ${name}. ${{ owner: owner_name }} pays for photos of this event.`;
  if (premium) return t`To ${name}. Uploads are free with Premium.`;
  return credits === undefined
    ? t`To ${name}.`
    : t`To ${name}. 1 credit a photo, ${{ credits: formatAmount(credits) }} left.`;
}

const nothingLeftOut: LeftOut = { raw: [], other: [], developed: 0 };

/** The way of photos into an event. */
export default function UploadPage() {
  const event = useWorkspaceEvent();
  const session = useSession();
  const credits = useQuery(creditsQuery());
  const { uploader, queue, allDone, unfinished, add, skipped, remove, dismiss } = useUploads();
  const show = useSnackbar();
  useEffect(() => void uploader.measure(), [uploader]);

  const [leftOut, setLeftOut] = useState<LeftOut>(nothingLeftOut);
  const premium = session.user?.premium === true;
  /** Who pays for photos of an event that is shared with the photographer. */
  const owner = event.owner_name ?? null;
  const balance = owner === null ? credits.data?.credits : undefined;

  const { canReopen, reopen, keep } = useFileHandles(event.id, unfinished !== null);
  const [reopening, setReopening] = useState(false);
  const continueBatch = async () => {
    setReopening(true);
    const files = await reopen();
    setReopening(false);
    if (files.length > 0) addFiles(files);
    else show({ tone: 'error', text: t`The files could not be opened. Please choose them again.` });
  };

  const addFiles = (files: readonly File[], handles: readonly Handle[] = []) => {
    if (files.length === 0) return;
    const sorted = sortFiles(files);
    setLeftOut(sorted.leftOut);
    if (sorted.images.length === 0) return;
    const photos = unfinishedFiles(uploader.getSnapshot()) + sorted.images.length;
    // Until the balance is known a batch may be larger than it.
    const covered = balance === undefined ? owner !== null || !credits.isPending : photos <= balance;
    if (!premium && !covered) uploader.holdForCredit();
    const done = add(inUploadOrder(sorted.images));
    void keep(handles);
    if (done > 0) {
      const text = plural(done, {
        one: '# of the last batch was there already.',
        other: '# of the last batch were there already.',
      });
      show({ tone: 'success', text });
    }
  };
  const stats = queueStats(queue);
  const uploading = isUploading(queue);
  // One question after the other: what is paid for depends on the first.
  const heldForVersions = isHeldForVersions(queue);
  const empty = queue.items.length === 0;
  return (
    <>
      <Box sx={{ mb: 5, mt: 2 }}>
        <Typography variant="h2" component="h1">{t`Upload Photos`}</Typography>
        <Typography color="textSecondary" sx={{ mt: 1 }}>
          {subtitleOf(event, premium, balance)}
        </Typography>
      </Box>
      <Box sx={{ display: 'grid', gap: 4, '& > :empty': { display: 'none' } }}>
        {allDone && unfinished === null && <Alert tone="success">{successText(stats)}</Alert>}
        <LeftOutFiles files={leftOut} onDismiss={() => setLeftOut(nothingLeftOut)} />
        <VersionsNotice
          queue={queue}
          paid={!premium}
          onDecide={(replace) => uploader.decideVersions(replace)}
        />
        {queue.overCredit && balance !== undefined && filesToPay(queue) > balance && !heldForVersions && (
          <BatchOverCredit
            photos={filesToPay(queue)}
            credits={balance}
            onContinue={() => uploader.resume()}
          />
        )}
        {queue.outOfCredit && <OutOfCredit owner={owner} onContinue={() => uploader.retry('credit')} />}
        {queue.disconnected && (
          <Alert tone="warning">
            {t`The connection is lost. Uploading goes on by itself as soon as it is back.`}
          </Alert>
        )}
        {unfinished !== null && (
          <UnfinishedBatchAlert
            photos={unfinished}
            reopening={reopening}
            onDismiss={dismiss}
            onContinue={canReopen ? () => void continueBatch() : null}
          />
        )}
        {!uploading && manages(event.role) && (
          <MakeAlbums eventId={event.id} queue={queue} skipped={skipped()} />
        )}
        {!uploading && stats.completed > 0 && manages(event.role) && <ShareEvent event={event} />}
        <Box
          sx={{
            display: 'grid',
            gridTemplateColumns: {
              xs: 'minmax(0, 1fr)',
              md: empty ? 'minmax(0, 1fr)' : 'minmax(0, 1fr) 372px',
            },
            // On a phone, totals and failures come before a list that may be thousands of rows long.
            gridTemplateAreas: {
              xs: '"files" "totals" "list"',
              md: empty ? '"files" "totals" "list"' : '"files totals" "list totals"',
            },
            gridTemplateRows: { md: empty ? 'none' : 'auto 1fr' },
            gap: 4,
            alignItems: 'start',
          }}
        >
          <Box sx={{ gridArea: 'files' }}>
            <DropZone expanded={empty || !uploading} onFiles={addFiles} />
          </Box>
          <Box
            sx={{
              gridArea: 'totals',
              display: 'grid',
              gap: 4,
              gridTemplateColumns: 'minmax(0, 1fr)',
              '&:empty': { display: 'none' },
            }}
          >
            {!empty && <BatchProgress stats={stats} paused={isStopped(queue) || queue.disconnected} />}
            <FailedUploads items={queue.items} onRetry={() => uploader.retry()} onDismiss={remove} />
            <FaceSearchCard
              event={event}
              uploaded={stats.completed - stats.duplicates}
              uploading={uploading}
            />
          </Box>
          <Box sx={{ gridArea: 'list', '&:empty': { display: 'none' } }}>
            <BatchList
              queue={queue}
              onRemove={(id) => remove([id])}
              onPause={() => uploader.pause()}
              onResume={() => uploader.resume()}
            />
          </Box>
        </Box>
      </Box>
    </>
  );
}
