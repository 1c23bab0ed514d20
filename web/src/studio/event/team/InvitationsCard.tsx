import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { Invitation } from '../../shared/events/sharing/team';
import { formatDayOf } from '../../../platform/shortDates';
import { invite, withdrawInvitation } from './team';
import { TeamRow } from './TeamRow';
import { roleNames } from './texts';
import { useTeamChange } from './useTeamChange';

function expiryText({ expires_at, expired }: Invitation): string {
  const day = formatDayOf(expires_at);
  return expired ? t`Expired on ${day}` : t`Good until ${day}`;
}

function InvitationRow({
  eventId,
  invitation,
  owns,
}: {
  eventId: string;
  invitation: Invitation;
  owns: boolean;
}) {
  const nameId = useId();
  const sendId = useId();
  const withdrawId = useId();
  const { id, email, role, invited_by } = invitation;
  const sending = useTeamChange(eventId, {
    change: () => invite(eventId, { email, role }),
    doneText: () => t`An invitation is on its way to ${email}.`,
    failedText: () => t`The invitation could not be sent. Please try again.`,
  });
  const withdrawal = useTeamChange(eventId, {
    change: () => withdrawInvitation(eventId, id),
    doneText: () => t`The invitation of ${email} is withdrawn.`,
    failedText: () => t`The invitation could not be withdrawn. Please try again.`,
  });
  const busy = sending.isPending || withdrawal.isPending;
  return (
    <TeamRow
      name={email}
      nameId={nameId}
      role={roleNames()[role]}
      lines={[expiryText(invitation), ...(invited_by == null ? [] : [t`Invited by ${{ name: invited_by }}`])]}
    >
      {(owns || role === 'contributor') && (
        <>
          <Button
            id={sendId}
            aria-labelledby={`${sendId} ${nameId}`}
            loading={sending.isPending}
            disabled={busy}
            onClick={() => sending.mutate(undefined)}
          >
            {t`Send again`}
          </Button>
          <Button
            id={withdrawId}
            color="error"
            aria-labelledby={`${withdrawId} ${nameId}`}
            loading={withdrawal.isPending}
            disabled={busy}
            onClick={() => withdrawal.mutate(undefined)}
          >
            {t`Withdraw`}
          </Button>
        </>
      )}
    </TeamRow>
  );
}

/** The invitations that nobody has answered yet. */
export function InvitationsCard({
  eventId,
  invitations,
  owns,
}: {
  eventId: string;
  invitations: readonly Invitation[];
  /** The photographer is the event's owner. */
  owns: boolean;
}) {
  const titleId = useId();
  if (invitations.length === 0) return null;
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ p: { xs: 4, sm: '24px 28px' } }}>
      <Typography variant="h3" component="h2" id={titleId}>
        {t`Invitations without an answer`}
      </Typography>
      <Box component="ul" aria-labelledby={titleId} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} eventId={eventId} invitation={invitation} owns={owns} />
        ))}
      </Box>
    </Card>
  );
}
