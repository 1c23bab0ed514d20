import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import { useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { errorMessage } from '../../platform/api/errors';
import type { Event } from '../../platform/api/types';
import { EmptyState } from '../../ui/EmptyState';
import { Icon } from '../../ui/Icon';
import { Alert } from '../../ui/Alert';
import { Page, PageHeader } from '../../ui/Page';
import { useFocusLoaded } from '../../ui/useFocusLoaded';
import { useSnackbar } from '../../ui/useSnackbar';
import { EventFinder } from '../shared/events/EventFinder';
import { eventScreenAddress } from '../shared/events/eventScreens';
import { MoreEventsButton } from '../shared/events/MoreEventsButton';
import { sharedEventsQuery, useEventList, useEventPages } from '../shared/events/events';
import { QrCodeDialog } from '../shared/events/QrCodeDialog';
import { LeaveEventDialog } from '../shared/events/sharing/LeaveEventDialog';
import { useSession } from '../../platform/session/session';
import { DeleteEventDialog } from './DeleteEventDialog';
import { EventCard } from './EventCard';
import { EventListSwitch } from './EventListSwitch';
import { useDeleteEvent } from './useDeletions';

/** The cards side by side on a wide window. */
const FIRST_ROW = 3;

const grid = {
  display: 'grid',
  gridTemplateColumns: {
    xs: 'minmax(0, 1fr)',
    sm: 'repeat(2, minmax(0, 1fr))',
    lg: 'repeat(3, minmax(0, 1fr))',
  },
  gap: 5,
};

function CardSkeleton() {
  return (
    <Card aria-hidden="true">
      <Skeleton height={188} />
      <Box sx={{ p: 5, display: 'grid', gap: 3 }}>
        <Skeleton height={22} width="70%" />
        <Skeleton height={16} width="50%" />
        <Skeleton height={44} sx={{ borderRadius: '10px' }} />
        <Skeleton height={60} sx={{ borderRadius: '10px' }} />
      </Box>
    </Card>
  );
}

/** The query parameter with the list that is shown, and its value for the events of others. */
const listParameter = 'list';
const sharedList = 'shared';

interface OpenDialog {
  kind: 'delete' | 'qrCode' | 'leave';
  event: Event;
}

export default function EventsPage() {
  const session = useSession();
  const show = useSnackbar();
  const [name, setName] = useState('');
  const [parameters, setParameters] = useSearchParams();
  const shared = parameters.get(listParameter) === sharedList;
  const sharedEvents = useEventList(sharedEventsQuery(session, '')) ?? [];
  const { pages, events } = useEventPages(name, shared, { followsIndexing: true });
  const count = events?.length ?? 0;
  const searching = name !== '';
  const list = useRef<HTMLDivElement>(null);
  const focusLoaded = useFocusLoaded(list, count);
  const deletion = useDeleteEvent();
  const navigate = useNavigate();
  // The dialog keeps its event during the closing animation, so that its content stays.
  const [dialog, setDialog] = useState<OpenDialog>();
  const [open, setOpen] = useState(false);

  const openDialog = (kind: OpenDialog['kind'], event: Event) => {
    setDialog({ kind, event });
    setOpen(true);
  };
  const confirmDeletion = (event: Event) =>
    deletion.mutate(event, {
      onSuccess: ({ task_id }) => {
        if ((task_id ?? null) === null) {
          show({ tone: 'success', text: t`${{ name: event.name }} is deleted.` });
        }
      },
      onError: (error) => {
        const reason = errorMessage(error, t`Failed to delete event. Please try again.`);
        show({ tone: 'error', text: t`Deletion Failed: ${reason}` });
      },
      onSettled: () => setOpen(false),
    });

  return (
    <Page>
      <PageHeader title={t`Events`} subtitle={t`Newest first`}>
        {(count > 0 || searching) && (
          <Button
            component={Link}
            to="/admin/event-registration"
            variant="contained"
            color="primary"
            startIcon={<Icon name="plus" />}
          >
            {t`Create event`}
          </Button>
        )}
      </PageHeader>

      {(sharedEvents.length > 0 || shared) && (
        <EventListSwitch
          shared={shared}
          sharedCount={sharedEvents.length}
          onChange={(next) => setParameters(next ? { [listParameter]: sharedList } : {}, { replace: true })}
        />
      )}
      {(count > 1 || pages.hasNextPage || searching || pages.isPlaceholderData) && (
        <Box sx={{ mb: 5 }}>
          <EventFinder
            onFind={setName}
            // What is shown belongs to the name before.
            found={pages.isPlaceholderData ? undefined : events?.length}
            hasMore={pages.hasNextPage}
          />
        </Box>
      )}
      {pages.isError && (
        <Box sx={{ display: 'grid', gap: 4, mb: 6, justifyItems: 'start' }}>
          <Alert tone="error">{t`Failed to load events`}</Alert>
          <Button
            variant="outlined"
            loading={pages.isFetching}
            onClick={() => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch())}
          >
            {t`Try again`}
          </Button>
        </Box>
      )}
      {pages.isPending && (
        <Box sx={grid} role="status" aria-busy="true" aria-label={t`Loading the events`}>
          <CardSkeleton />
          <CardSkeleton />
          <CardSkeleton />
        </Box>
      )}
      {pages.isSuccess && count === 0 && !pages.hasNextPage && !searching && !pages.isPlaceholderData && (
        <Card>
          {shared ? (
            <EmptyState
              title={t`Nothing is shared with you`}
              description={t`Events to which other photographers invite you are here.`}
            />
          ) : (
            <EmptyState
              title={t`No events created yet`}
              description={t`An event holds the photos and the link your guests open.`}
            >
              <Button component={Link} to="/admin/event-registration" variant="contained" color="primary">
                {t`Create Your First Event`}
              </Button>
            </EmptyState>
          )}
        </Card>
      )}
      {events !== undefined && (
        <Box ref={list} sx={grid} aria-busy={pages.isPlaceholderData}>
          {events.map((event, index) => (
            <EventCard
              key={event.id}
              event={event}
              atOnce={index < FIRST_ROW}
              onUpload={() => void navigate(eventScreenAddress('/admin/upload', event.id))}
              onGallery={() => void navigate(eventScreenAddress('/admin/gallery', event.id))}
              onQrCode={() => openDialog('qrCode', event)}
              onDelete={() => openDialog('delete', event)}
              onLeave={() => openDialog('leave', event)}
            />
          ))}
        </Box>
      )}
      <Box sx={{ mt: 6, '&:empty': { display: 'none' } }}>
        <MoreEventsButton pages={pages} onLoad={focusLoaded} />
      </Box>

      {dialog?.kind === 'qrCode' && (
        <QrCodeDialog event={dialog.event} open={open} onClose={() => setOpen(false)} />
      )}
      {dialog?.kind === 'leave' && open && (
        <LeaveEventDialog event={dialog.event} onClose={() => setOpen(false)} />
      )}
      {dialog?.kind === 'delete' && (
        <DeleteEventDialog
          event={dialog.event}
          open={open}
          busy={deletion.isPending}
          onCancel={() => setOpen(false)}
          onConfirm={() => confirmDeletion(dialog.event)}
        />
      )}
    </Page>
  );
}
