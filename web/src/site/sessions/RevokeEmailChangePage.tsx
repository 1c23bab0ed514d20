import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { clearSession } from '../../platform/storage/storage';
import { AuthLayout } from '../../studio/shared/accounts/AuthLayout';
import { useLinkToken } from '../../studio/shared/accounts/useLinkToken';
import { revokeEmailChange } from './sessions';

/**
 * The page of the link 'This wasn't me'. Opening it changes nothing, since mail programs open links to look at them: the
 * button does.
 */
export default function RevokeEmailChangePage() {
  const token = useLinkToken();
  const revocation = useMutation({
    mutationFn: () => revokeEmailChange(token),
    // The server has ended every session of the account, maybe this one too.
    onSuccess: clearSession,
  });
  return (
    <AuthLayout
      title={t`This wasn't me`}
      tagline={t`Your account stays yours.`}
      taglineText={t`Your events and photos stay where they are.`}
    >
      <Box aria-live="polite" sx={{ display: 'grid', gap: 4.5, mt: 7 }}>
        {token === '' && (
          <>
            <Alert tone="error">{t`The link is incomplete: it carries no token.`}</Alert>
            <RequestPassword />
          </>
        )}
        {token !== '' && revocation.isSuccess && (
          <Alert tone="success">
            {t`The change is taken back, and every device is logged out. We have mailed you a link that sets a new password.`}
          </Alert>
        )}
        {token !== '' && !revocation.isSuccess && (
          <>
            {revocation.isError && (
              <Alert tone="error">
                {errorMessage(revocation.error, t`The change could not be taken back. Please try again.`)}
              </Alert>
            )}
            <Typography>
              {t`Somebody asked to use another email address for your account, and was logged in to it or knew your password. If it was not you, take the change back: your address stays in force or is put in force again, every device is logged out, and we mail you a link that sets a new password.`}
            </Typography>
            <Button
              variant="contained"
              color="primary"
              size="large"
              loading={revocation.isPending}
              onClick={() => revocation.mutate()}
            >
              {t`Take the change back`}
            </Button>
            {revocation.isError && <RequestPassword />}
          </>
        )}
      </Box>
    </AuthLayout>
  );
}

const RequestPassword = () => (
  <Button component={Link} to="/forgot-password" variant="outlined" color="ink" size="large">
    {t`Forgot password`}
  </Button>
);
