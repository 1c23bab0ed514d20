import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { Fragment, type ReactNode } from 'react';
import { Alert } from '../components/Alert';
import { Page, PageHeader } from '../components/Page';
import type { SelectedEvent } from '../storage';
import { SelectEvent } from './SelectEvent';
import { ManagersOnly } from './sharing/ManagersOnly';
import { useLoadedEvent } from './sharing/roles';
import { type EventOfAddress, useEventOfAddress } from './useEventOfAddress';

function noticeOf(state: EventOfAddress['state']): string | undefined {
  switch (state) {
    case 'missing':
      return t`This event is not among your events. It may have been deleted, or belong to another account.`;
    case 'deleting':
      return t`This event is being deleted.`;
    default:
      return undefined;
  }
}

/** A screen of managers, unless the photographer is known to be a contributor. */
function ManagersScreen({
  title,
  event,
  children,
}: {
  title: string;
  event: SelectedEvent;
  children: ReactNode;
}) {
  if (useLoadedEvent(event.id)?.role !== 'contributor') return children;
  return (
    <Page>
      <PageHeader title={title} subtitle={event.name} />
      <ManagersOnly eventId={event.id} />
    </Page>
  );
}

/** A screen of the event that the address names. Until there is one, it has a title and lets an event be selected. */
export function EventScreen({
  title,
  description,
  forManagers = false,
  children,
}: {
  title: string;
  description: string;
  /** Contributors have no such screen. */
  forManagers?: boolean;
  children: (event: SelectedEvent) => ReactNode;
}) {
  const address = useEventOfAddress();
  if (address.state === 'selected') {
    const { event } = address;
    const screen = children(event);
    return (
      <Fragment key={event.id}>
        {forManagers ? (
          <ManagersScreen title={title} event={event}>
            {screen}
          </ManagersScreen>
        ) : (
          screen
        )}
      </Fragment>
    );
  }
  const notice = noticeOf(address.state);
  return (
    <Page>
      <PageHeader title={title} />
      {notice !== undefined && (
        <Box sx={{ mb: 4 }}>
          <Alert tone="warning">{notice}</Alert>
        </Box>
      )}
      {address.state === 'opening' ? (
        <Box role="status" aria-busy="true" aria-label={t`Loading the event`}>
          <Skeleton height={200} sx={{ borderRadius: '16px' }} />
        </Box>
      ) : (
        <SelectEvent description={description} />
      )}
    </Page>
  );
}
