import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { AuthLayout } from '../../studio/shared/accounts/AuthLayout';
import { ApiError, errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { ProgressBar } from '../../ui/ProgressBar';
import { useSession } from '../../platform/session/session';
import { Answer } from './Answer';
import { invitationQuery } from './invitations';
import { tokenOf } from './address';

function Layout({ children }: { children: ReactNode }) {
  return (
    <AuthLayout
      title={t`You are invited`}
      illustration="toast"
      tagline={t`Two cameras see more than one.`}
      taglineText={t`The photos of one event come together in one place.`}
    >
      <Box aria-live="polite" sx={{ display: 'grid', gap: 4.5, mt: 7 }}>
        {children}
      </Box>
    </AuthLayout>
  );
}

/** Away from an invitation that has no answer any more, or has one. */
function GoOn() {
  const { isPhotographer } = useSession();
  return (
    <Button
      component={Link}
      to={isPhotographer ? '/admin/overview' : '/'}
      variant="contained"
      color="primary"
      size="large"
    >
      {isPhotographer ? t`Go to Dashboard` : t`Home`}
    </Button>
  );
}

/** The invitation to the team of an event, for whoever has the link of its mail. */
export default function InvitationPage() {
  const location = useLocation();
  const navigate = useNavigate();
  const token = tokenOf(location);
  const { hash } = location;
  // Out of the address, where it would be copied and bookmarked; the entry of the history keeps it for a reload.
  useEffect(() => {
    if (hash !== '') void navigate('/invitation', { replace: true, state: { token: hash.slice(1) } });
  }, [hash, navigate]);
  const invitation = useQuery({ ...invitationQuery(token), enabled: token !== '' });
  const [declined, setDeclined] = useState(false);

  if (token === '') {
    return (
      <Layout>
        <Alert tone="error">{t`The link is not complete. Please open it again from the mail.`}</Alert>
        <GoOn />
      </Layout>
    );
  }
  if (declined) {
    return (
      <Layout>
        <Alert tone="success">{t`You have declined the invitation.`}</Alert>
        <GoOn />
      </Layout>
    );
  }
  if (invitation.isPending) {
    return (
      <Layout>
        <ProgressBar label={t`Loading the invitation`} />
      </Layout>
    );
  }
  if (invitation.isError) {
    const { error } = invitation;
    const over = error instanceof ApiError && error.status === 404;
    return (
      <Layout>
        <Alert tone={over ? 'warning' : 'error'}>
          {errorMessage(error, t`The invitation could not be loaded. Please try again.`)}
        </Alert>
        {over ? (
          <GoOn />
        ) : (
          <Button
            variant="contained"
            color="primary"
            size="large"
            loading={invitation.isFetching}
            onClick={() => void invitation.refetch()}
          >
            {t`Try again`}
          </Button>
        )}
      </Layout>
    );
  }
  return (
    <Layout>
      <Answer token={token} invitation={invitation.data} onDeclined={() => setDeclined(true)} />
    </Layout>
  );
}
