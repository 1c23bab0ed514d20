import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { errorMessage } from '../../../platform/api/errors';
import { Alert } from '../../../ui/Alert';
import { LeaveEventDialog } from '../../shared/events/sharing/LeaveEventDialog';
import { teamQuery } from '../../shared/events/sharing/team';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { InvitationsCard } from './InvitationsCard';
import { InviteCard } from './InviteCard';
import { MembersCard } from './MembersCard';

/** Who works on an event, who is invited, and the form that invites somebody. */
export function EventTeam() {
  const event = useWorkspaceEvent();
  const navigate = useNavigate();
  const { data: team, isFetching, isLoadingError, error, refetch } = useQuery(teamQuery(event.id));
  const [leaving, setLeaving] = useState(false);
  // Among the members is whoever asks, unless they are the owner.
  const owns = team?.members.every(({ is_you }) => !is_you) === true;
  return (
    <>
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
    </>
  );
}
