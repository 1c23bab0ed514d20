import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { errorMessage } from '../../shared/api/errors';
import { Alert } from '../../shared/components/Alert';
import { Icon } from '../../shared/components/Icon';
import { Page, PageHeader } from '../../shared/components/Page';
import { eventScreenAddress } from '../../shared/events/eventScreens';
import { LeaveEventDialog } from '../../shared/events/sharing/LeaveEventDialog';
import { teamQuery } from '../../shared/events/sharing/team';
import type { SelectedEvent } from '../../shared/storage';
import { InvitationsCard } from './InvitationsCard';
import { InviteCard } from './InviteCard';
import { MembersCard } from './MembersCard';

/** Who works on an event, who is invited, and the form that invites somebody. */
export function EventTeam({ event }: { event: SelectedEvent }) {
  const navigate = useNavigate();
  const { data: team, isFetching, isLoadingError, error, refetch } = useQuery(teamQuery(event.id));
  const [leaving, setLeaving] = useState(false);
  // Among the members is whoever asks, unless they are the owner.
  const owns = team?.members.every(({ is_you }) => !is_you) === true;
  return (
    <Page width={800}>
      <PageHeader title={t`Team`} subtitle={event.name}>
        <Button
          component={Link}
          to={eventScreenAddress('/admin/gallery', event.id)}
          variant="outlined"
          startIcon={<Icon name="grid" />}
        >
          {t`Gallery`}
        </Button>
      </PageHeader>
      {isLoadingError && (
        <Box sx={{ display: 'grid', gap: 4, justifyItems: 'start' }}>
          <Alert tone="error">
            {errorMessage(error, t`The team could not be loaded. Please try again.`)}
          </Alert>
          <Button variant="outlined" loading={isFetching} onClick={() => void refetch()}>
            {t`Try again`}
          </Button>
        </Box>
      )}
      {team === undefined && !isLoadingError && (
        <Box role="status" aria-busy="true" aria-label={t`Loading the team`} sx={{ display: 'grid', gap: 4 }}>
          <Skeleton height={220} sx={{ borderRadius: '16px' }} />
          <Skeleton height={320} sx={{ borderRadius: '16px' }} />
        </Box>
      )}
      {team !== undefined && (
        <Box sx={{ display: 'grid', gap: 4 }}>
          <MembersCard eventId={event.id} team={team} owns={owns} onLeave={() => setLeaving(true)} />
          <InvitationsCard eventId={event.id} invitations={team.invitations} owns={owns} />
          <InviteCard eventId={event.id} owns={owns} ownerName={team.owner.name} />
        </Box>
      )}
      {leaving && (
        <LeaveEventDialog
          event={event}
          onClose={() => setLeaving(false)}
          onLeft={() => void navigate('/admin/events', { replace: true })}
        />
      )}
    </Page>
  );
}
