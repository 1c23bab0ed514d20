import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { ApiError, errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { useSnackbar } from '../../ui/useSnackbar';
import { eventScreenAddress } from '../../studio/shared/events/eventScreens';
import { formatLongDate } from '../../platform/formats';
import { formatDayOf } from '../../platform/shortDates';
import { storedInvitation } from '../../platform/invitation';
import { useSession } from '../../platform/session/session';
import { acceptInvitation, declineInvitation, type Invitation } from './invitations';

/** By whom one is invited to what. */
function Invited({ invitation }: { invitation: Invitation }) {
  const { event_name: event, owner_name, role } = invitation;
  const inviter = invitation.invited_by ?? owner_name;
  return (
    <Typography sx={{ fontSize: 18, overflowWrap: 'anywhere' }}>
      {role === 'manager' ? (
        <Trans>
          {inviter} invites you to manage <b>{event}</b>.
        </Trans>
      ) : (
        <Trans>
          {inviter} invites you to upload photos to <b>{event}</b>.
        </Trans>
      )}
    </Typography>
  );
}

/** What an invitation is to, and the ways to answer it. */
export function Answer({
  token,
  invitation,
  onDeclined,
}: {
  token: string;
  invitation: Invitation;
  onDeclined: () => void;
}) {
  const navigate = useNavigate();
  const show = useSnackbar();
  const { isPhotographer } = useSession();
  const { event_date, owner_name: owner, role, expires_at } = invitation;
  /** The invitation waits until the login leads back. */
  const wait = () => storedInvitation.write({ token, expires_at });
  const accepting = useMutation({
    mutationFn: () => acceptInvitation(token),
    onSuccess: (event) => {
      show({ tone: 'success', text: t`You are in the team of ${{ event: event.name }} now.` });
      const path = event.role === 'contributor' ? '/admin/upload' : '/admin/gallery';
      void navigate(eventScreenAddress(path, event.id), { replace: true });
    },
    onError: (error) => {
      // The session has ended, and the login is shown.
      if (error instanceof ApiError && error.status === 401) wait();
    },
  });
  const declining = useMutation({ mutationFn: () => declineInvitation(token), onSuccess: onDeclined });
  const busy = accepting.isPending || declining.isPending;
  const failure = accepting.error ?? declining.error;
  return (
    <>
      <Invited invitation={invitation} />
      <Box component="ul" sx={{ m: 0, pl: 5, display: 'grid', gap: 2, color: 'text.secondary' }}>
        <li>{formatLongDate(event_date)}</li>
        <li>
          {role === 'manager'
            ? t`You manage its photos, guests and settings together with the owner.`
            : t`You see your own photos, and can delete them.`}
        </li>
        <li>{t`${owner} pays for photos of this event.`}</li>
        <li>{t`The invitation is good until ${{ day: formatDayOf(expires_at) }}.`}</li>
      </Box>
      {failure !== null && (
        <Alert tone="error">
          {errorMessage(failure, t`Your answer could not be saved. Please try again.`)}
        </Alert>
      )}
      {isPhotographer ? (
        <Button
          variant="contained"
          color="primary"
          size="large"
          loading={accepting.isPending}
          disabled={busy}
          onClick={() => accepting.mutate()}
        >
          {t`Accept the invitation`}
        </Button>
      ) : (
        <>
          <Typography>{t`To accept it, log in or register. You come back here afterwards.`}</Typography>
          <Button
            component={Link}
            to="/login"
            onClick={wait}
            variant="contained"
            color="primary"
            size="large"
          >
            {t`Login`}
          </Button>
          <Button component={Link} to="/register" onClick={wait} variant="outlined" size="large">
            {t`Register`}
          </Button>
        </>
      )}
      <Button size="large" loading={declining.isPending} disabled={busy} onClick={() => declining.mutate()}>
        {t`Decline`}
      </Button>
    </>
  );
}
