import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { Event } from '../../shared/api/types';
import { ProgressBar } from '../../shared/components/ProgressBar';
import { Alert } from '../../shared/components/Alert';
import { Page, PageHeader } from '../../shared/components/Page';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { creditsQuery } from '../../shared/credits/queries';
import { eventQuery } from '../../shared/events/queries';
import { EventScreen } from '../../shared/events/EventScreen';
import { manages, useLoadedEvent } from '../../shared/events/sharing/roles';
import { formatAmount } from '../../shared/amounts';
import { formatCount } from '../../shared/formats';
import { useSession } from '../../shared/session/session';
import type { SelectedEvent } from '../../shared/storage';
import { BatchList } from './BatchList';
import { BatchProgress } from './BatchProgress';
import { successText } from './batchSummary';
import { useUploads } from './context';
import { DropZone } from './DropZone';
import { type LeftOut, sortFiles } from './droppedFiles';
import { type Handle } from './fileHandles';
import { useFileHandles } from './useFileHandles';
import { FailedUploads } from './FailedUploads';
import { LeftOutFiles } from './LeftOutFiles';
import { ShareEvent } from './ShareEvent';
import { UnfinishedBatchAlert } from './UnfinishedBatchAlert';
import { isUploading } from './queue';
import { queueStats, type QueueStats } from './queueStats';

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

function searchableText(indexed: number, total: number, uploading: boolean): string {
  const done = formatCount(indexed);
  return uploading
    ? plural(total, {
        one: `${done} of # photos searchable, more are on their way`,
        other: `${done} of # photos searchable, more are on their way`,
      })
    : plural(total, { one: `${done} of # photos searchable`, other: `${done} of # photos searchable` });
}

function FaceSearchCard({
  event,
  uploaded,
  uploading,
}: {
  event: Event;
  uploaded: number;
  uploading: boolean;
}) {
  const { indexed } = event.indexing;
  // The event is some seconds old while photos arrive.
  const total = Math.max(event.indexing.total, uploaded);
  if (total === 0) return null;
  return (
    <Card component="section" sx={{ p: 6 }}>
      <Typography variant="h3" component="h2">
        {t`Face search`}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5, mb: 4 }}>
        {searchableText(indexed, total, uploading)}
      </Typography>
      <ProgressBar
        label={t`Photos searchable`}
        value={(100 * indexed) / total}
        tone={indexed === total && !uploading ? 'success' : 'accent'}
      />
    </Card>
  );
}

function BatchOverCredit({ photos, credits }: { photos: number; credits: number }) {
  const amount = formatAmount(credits);
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
      {t`Uploading stops when the credit is used up, and goes on by itself once there is more. What is there already costs nothing.`}
      <Box sx={{ mt: 3 }}>
        <Button size="small" variant="outlined" component={Link} to="/admin/overview#add-credits">
          {t`Add credits`}
        </Button>
      </Box>
    </Alert>
  );
}

/** Where the photos go, and who pays for them once that is known. */
function subtitleOf(
  name: string,
  event: Event | undefined,
  premium: boolean,
  credits: number | undefined,
): string {
  if (event === undefined) return t`To ${name}.`;
  if (event.owner_name != null)
    return t`To ${name}. ${{ owner: event.owner_name }} pays for photos of this event.`;
  if (premium) return t`To ${name}. Uploads are free with Premium.`;
  return credits === undefined
    ? t`To ${name}.`
    : t`To ${name}. 1 credit a photo, ${{ credits: formatAmount(credits) }} left.`;
}

/** Milliseconds between two looks at how many photos are searchable. */
const indexingInterval = 5000;

const nothingLeftOut: LeftOut = { raw: [], other: [] };

/** Photos that have no end yet. */
const photosLeft = ({ running, waiting, retrying }: QueueStats) => running + waiting + retrying;

function EventUploads({ event: selected }: { event: SelectedEvent }) {
  const session = useSession();
  const lookup = useQuery({
    ...eventQuery(session, selected.id),
    // Photos become searchable after their upload.
    refetchInterval: ({ state }) =>
      state.data?.some(({ indexing }) => indexing.indexed < indexing.total) === true
        ? indexingInterval
        : false,
  });
  const credits = useQuery(creditsQuery());
  const { uploader, queue, allDone, unfinished, add, remove, dismiss } = useUploads();
  const show = useSnackbar();
  useEffect(() => void uploader.measure(), [uploader]);

  const [leftOut, setLeftOut] = useState<LeftOut>(nothingLeftOut);
  const [overCredit, setOverCredit] = useState<{ photos: number; credits: number } | null>(null);
  const premium = session.user?.premium === true;
  const known = useLoadedEvent(selected.id);
  /** Who pays for photos of an event that is shared with the photographer. */
  const owner = known?.owner_name ?? null;
  const balance = owner === null ? credits.data?.credits : undefined;

  const { canReopen, reopen, keep } = useFileHandles(selected.id, unfinished !== null);
  const continueBatch = async () => {
    const files = await reopen();
    if (files.length > 0) addFiles(files);
    else show({ tone: 'error', text: t`The files could not be opened. Please choose them again.` });
  };

  const addFiles = (files: readonly File[], handles: readonly Handle[] = []) => {
    if (files.length === 0) return;
    const sorted = sortFiles(files);
    setLeftOut(sorted.leftOut);
    if (sorted.images.length === 0) return;
    const done = add(sorted.images);
    void keep(handles);
    if (done > 0) {
      const text = plural(done, {
        one: '# of the last batch was there already.',
        other: '# of the last batch were there already.',
      });
      show({ tone: 'success', text });
    }
    const photos = photosLeft(queueStats(uploader.getSnapshot()));
    setOverCredit(
      !premium && balance !== undefined && photos > balance ? { photos, credits: balance } : null,
    );
  };
  const stats = queueStats(queue);
  const uploading = isUploading(queue);
  // The balance falls with the batch: only one that covers what is left ends the warning.
  const covered = balance !== undefined && balance >= photosLeft(stats);
  const event = lookup.data ?? undefined;
  const empty = queue.items.length === 0;
  return (
    <Page>
      <PageHeader title={t`Upload Photos`} subtitle={subtitleOf(selected.name, known, premium, balance)} />
      <Box sx={{ display: 'grid', gap: 4, '& > :empty': { display: 'none' } }}>
        {lookup.isLoadingError && <Alert tone="error">{t`Failed to load events. Please try again.`}</Alert>}
        {allDone && unfinished === null && <Alert tone="success">{successText(stats)}</Alert>}
        <LeftOutFiles files={leftOut} onDismiss={() => setLeftOut(nothingLeftOut)} />
        {overCredit !== null && uploading && !covered && !queue.outOfCredit && (
          <BatchOverCredit {...overCredit} />
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
            onDismiss={dismiss}
            onContinue={canReopen ? () => void continueBatch() : null}
          />
        )}
        {!uploading && stats.completed > 0 && manages(known?.role) && <ShareEvent event={selected} />}
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
            {!empty && (
              <BatchProgress stats={stats} paused={queue.paused || queue.disconnected || queue.outOfCredit} />
            )}
            <FailedUploads items={queue.items} onRetry={() => uploader.retry()} onDismiss={remove} />
            {event !== undefined && (
              <FaceSearchCard event={event} uploaded={stats.completed} uploading={uploading} />
            )}
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
    </Page>
  );
}

export default function UploadPage() {
  return (
    <EventScreen
      title={t`Upload Photos`}
      description={t`Choose the event in the bar above, or here. Its photos go where its guests look.`}
    >
      {(event) => <EventUploads event={event} />}
    </EventScreen>
  );
}
