import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useMemo, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import type { Event } from '../../../../platform/api/types';
import { Alert } from '../../../../ui/Alert';
import { Page, PageHeader } from '../../../../ui/Page';
import { selectEvent } from '../../../../platform/session/selection';
import { useSession } from '../../../../platform/session/session';
import { useEventId, withEvent } from '../eventScreens';
import { eventQuery, indexingPause, newestEventQuery, sharedEventsQuery } from '../events';
import { SelectEvent } from '../SelectEvent';
import { ManagersOnly } from '../sharing/ManagersOnly';
import { manages } from '../sharing/roles';
import { WorkspaceContext } from './context';
import { contributorPaths, tabs } from './tabs';
import { WorkspaceHeader } from './WorkspaceHeader';

/** A screen that has no event to show: it says why, and lets one be chosen. */
function WithoutEvent({ notice, children }: { notice?: ReactNode; children?: ReactNode }) {
  const { pathname } = useLocation();
  const title =
    pathname === '/admin/upload'
      ? t`Upload Photos`
      : (tabs().find(({ path }) => path === pathname)?.label ?? t`Gallery`);
  return (
    <Page>
      <PageHeader title={title} />
      {notice !== undefined && (
        <Box sx={{ mb: 4 }}>
          <Alert tone="warning">{notice}</Alert>
        </Box>
      )}
      {children ?? (
        <SelectEvent description={t`Choose the event in the bar above, or here, to see its photos.`} />
      )}
    </Page>
  );
}

const skeleton = () => (
  <Box role="status" aria-busy="true" aria-label={t`Loading the event`}>
    <Skeleton height={200} sx={{ borderRadius: '16px' }} />
  </Box>
);

function EventWorkspace({ event }: { event: Event }) {
  const { pathname } = useLocation();
  const [selectionSlot, setSelectionSlot] = useState<HTMLElement | null>(null);
  const [selecting, setSelecting] = useState(false);
  const { id, name, date, slug } = event;
  // An address without an event leads here next time, also after another name was given.
  useLayoutEffect(() => selectEvent({ id, name, date, slug }), [id, name, date, slug]);
  const workspace = useMemo(() => ({ event, selectionSlot, setSelecting }), [event, selectionSlot]);
  const allowed = manages(event.role) || contributorPaths.some((path) => path === pathname);
  return (
    <WorkspaceContext value={workspace}>
      <Box sx={{ '--covered-top': selecting ? '208px' : '122px' }}>
        <Box
          sx={(theme) => ({
            display: 'grid',
            gridTemplateColumns: 'minmax(0, 1fr)',
            '& > *': { gridArea: '1 / 1' },
            ...(selecting && { position: 'sticky', top: 64, zIndex: theme.zIndex.appBar - 1 }),
          })}
        >
          {/* What is selected takes its place. */}
          <Box
            component="section"
            aria-label={name}
            inert={selecting}
            sx={{ visibility: selecting ? 'hidden' : 'visible' }}
          >
            <WorkspaceHeader event={event} />
          </Box>
          <Box ref={setSelectionSlot} sx={{ display: 'grid', '&:empty': { display: 'none' } }} />
        </Box>
        <Box
          component="main"
          id="main"
          sx={{
            width: '100%',
            maxWidth: 1216,
            mx: 'auto',
            px: { xs: 4, md: 8 },
            pt: 4,
            pb: { xs: 28, md: 18 },
          }}
        >
          {allowed ? <Outlet /> : <ManagersOnly eventId={id} />}
        </Box>
      </Box>
    </WorkspaceContext>
  );
}

/** Whoever has shown no event yet, in a new browser, sees the newest; photos are not sent to one that nobody has chosen. */
function NewestEvent() {
  const session = useSession();
  const location = useLocation();
  const own = useQuery(newestEventQuery(session));
  const none = own.data?.length === 0;
  const shared = useQuery({ ...sharedEventsQuery(session, ''), enabled: session.isPhotographer && none });
  const newest = own.data?.[0] ?? shared.data?.[0];
  if (newest !== undefined) return <Navigate to={withEvent(location, newest)} replace />;
  // Once they were fetched, or could not be, the choice fetches them again.
  const looking = session.isPhotographer && (!own.isFetched || (none && !shared.isFetched));
  return looking ? <WithoutEvent>{skeleton()}</WithoutEvent> : <WithoutEvent />;
}

/** The layout of all screens of one event: which one it is, is read here and nowhere else. */
export default function Workspace() {
  const location = useLocation();
  const { id, named } = useEventId();
  const lookup = useQuery({
    ...eventQuery(useSession(), id),
    refetchInterval: ({ state }) => indexingPause([state.data]),
  });
  if (id === undefined) return location.pathname === '/admin/upload' ? <WithoutEvent /> : <NewestEvent />;
  if (!named) {
    const state: unknown = location.state;
    return <Navigate to={withEvent(location, id)} replace state={state} />;
  }
  const event = lookup.data;
  if (event === null)
    return (
      <WithoutEvent
        notice={t`This event is not among your events. It may have been deleted, or belong to another account.`}
      />
    );
  if (event !== undefined)
    return event.deleting ? (
      <WithoutEvent notice={t`This event is being deleted.`} />
    ) : (
      <EventWorkspace key={event.id} event={event} />
    );
  return (
    <WithoutEvent>
      {lookup.isLoadingError ? (
        <Box sx={{ display: 'grid', gap: 4, justifyItems: 'start' }}>
          <Alert tone="error">{t`Failed to load events. Please try again.`}</Alert>
          <Button variant="outlined" loading={lookup.isFetching} onClick={() => void lookup.refetch()}>
            {t`Try again`}
          </Button>
        </Box>
      ) : (
        skeleton()
      )}
    </WithoutEvent>
  );
}
