import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { Event } from '../../shared/api/types';
import { ProgressBar } from '../../shared/components/ProgressBar';
import { Alert } from '../../shared/components/Alert';
import { Page, PageHeader } from '../../shared/components/Page';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { creditsQuery } from '../../shared/credits/queries';
import { eventsQuery } from '../../shared/events/queries';
import { EventScreen } from '../../shared/events/EventScreen';
import { formatAmount, formatCount } from '../../shared/formats';
import { useSession } from '../../shared/session/session';
import type { SelectedEvent } from '../../shared/storage';
import { BatchList } from './BatchList';
import { BatchProgress } from './BatchProgress';
import { useUploads } from './context';
import { DropZone } from './DropZone';
import { FailedUploads } from './FailedUploads';
import { UnfinishedBatchAlert } from './UnfinishedBatchAlert';
import { isUploading } from './queue';
import { queueStats } from './queueStats';

function OutOfCredit({ onContinue }: { onContinue: () => void }) {
  return (
    <Alert tone="warning">
      <Box component="b" sx={{ display: 'block', fontWeight: 600 }}>
        Uploading has stopped: the credit is used up.
      </Box>
      The rest of the batch waits here.
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 3 }}>
        <Button
          size="small"
          variant="contained"
          color="primary"
          component={Link}
          to="/admin/overview#add-credits"
        >
          Add credits
        </Button>
        <Button size="small" variant="outlined" onClick={onContinue}>
          Continue uploading
        </Button>
      </Box>
    </Alert>
  );
}

function FaceSearchCard({ event }: { event: Event }) {
  const { indexed, total } = event.indexing;
  if (total === 0) return null;
  return (
    <Card component="section" sx={{ p: 6 }}>
      <Typography variant="h3" component="h2">
        Face search
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5, mb: 4 }}>
        {formatCount(indexed)} of {formatCount(total)} photos searchable
      </Typography>
      <ProgressBar
        label="Photos searchable"
        value={(100 * indexed) / total}
        tone={indexed === total ? 'success' : 'accent'}
      />
    </Card>
  );
}

function subtitleOf(name: string, premium: boolean, credits: number | undefined): string {
  if (premium) return `To ${name}. Uploads are free with Premium.`;
  return credits === undefined
    ? `To ${name}.`
    : `To ${name}. 1 credit a photo, ${formatAmount(credits)} left.`;
}

function EventUploads({ event: selected }: { event: SelectedEvent }) {
  const session = useSession();
  const events = useQuery(eventsQuery(session));
  const credits = useQuery(creditsQuery());
  const { uploader, queue, allDone, unfinished, add, remove, dismiss } = useUploads();
  const show = useSnackbar();
  useEffect(() => void uploader.measure(), [uploader]);

  const addFiles = (files: readonly File[]) => {
    const done = add(files);
    if (done > 0) {
      const text = `${formatCount(done)} of the last batch ${done === 1 ? 'was' : 'were'} there already.`;
      show({ tone: 'success', text });
    }
  };
  const stats = queueStats(queue);
  const event = events.data?.find(({ id }) => id === selected.id);
  const empty = queue.items.length === 0;
  return (
    <Page>
      <PageHeader
        title="Upload Photos"
        subtitle={subtitleOf(selected.name, session.user?.premium === true, credits.data?.credits)}
      />
      <Box sx={{ display: 'grid', gap: 4, '& > :empty': { display: 'none' } }}>
        {events.isError && <Alert tone="error">Failed to load events. Please try again.</Alert>}
        {allDone && unfinished === null && <Alert tone="success">All photos are uploaded.</Alert>}
        {queue.outOfCredit && <OutOfCredit onContinue={() => uploader.retry('credit')} />}
        {queue.disconnected && (
          <Alert tone="warning">
            The connection is lost. Uploading goes on by itself as soon as it is back.
          </Alert>
        )}
        {unfinished !== null && <UnfinishedBatchAlert photos={unfinished} onDismiss={dismiss} />}
        <Box
          sx={{
            display: 'grid',
            gridTemplateColumns: {
              xs: 'minmax(0, 1fr)',
              md: empty ? 'minmax(0, 1fr)' : 'minmax(0, 1fr) 372px',
            },
            gap: 4,
            alignItems: 'start',
          }}
        >
          <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
            <DropZone expanded={empty || !isUploading(queue)} onFiles={addFiles} />
            <BatchList
              queue={queue}
              onRemove={(id) => remove([id])}
              onPause={() => uploader.pause()}
              onResume={() => uploader.resume()}
            />
          </Box>
          <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
            {!empty && (
              <BatchProgress stats={stats} paused={queue.paused || queue.disconnected || queue.outOfCredit} />
            )}
            <FailedUploads items={queue.items} onRetry={() => uploader.retry()} onDismiss={remove} />
            {event !== undefined && <FaceSearchCard event={event} />}
          </Box>
        </Box>
      </Box>
    </Page>
  );
}

export default function UploadPage() {
  return (
    <EventScreen
      title="Upload Photos"
      description="Choose the event in the bar above, or here. Its photos go where its guests look."
    >
      {(event) => <EventUploads event={event} />}
    </EventScreen>
  );
}
