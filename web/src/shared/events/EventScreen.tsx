import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { Fragment, type ReactNode } from 'react';
import { Alert } from '../components/Alert';
import { Page, PageHeader } from '../components/Page';
import type { SelectedEvent } from '../storage';
import { SelectEvent } from './SelectEvent';
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

/** A screen of the event that the address names. Until there is one, it has a title and lets an event be selected. */
export function EventScreen({
  title,
  description,
  children,
}: {
  title: string;
  description: string;
  children: (event: SelectedEvent) => ReactNode;
}) {
  const address = useEventOfAddress();
  if (address.state === 'selected') {
    return <Fragment key={address.event.id}>{children(address.event)}</Fragment>;
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
