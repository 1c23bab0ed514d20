import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { AuthLayout } from '../../studio/shared/accounts/AuthLayout';
import { useLinkToken } from '../../studio/shared/accounts/useLinkToken';
import { agreeToEmailChange } from './sessions';

/**
 * The page of the link 'Agree to the new email'. Opening it changes nothing, since mail programs open links to look at
 * them: the button does.
 */
export default function AgreeEmailChangePage() {
  const token = useLinkToken();
  const agreement = useMutation({ mutationFn: () => agreeToEmailChange(token) });
  return (
    <AuthLayout
      title={t`Agree to a new email`}
      tagline={t`Your account stays yours.`}
      taglineText={t`Your events and photos stay where they are.`}
    >
      <Box aria-live="polite" sx={{ display: 'grid', gap: 4.5, mt: 7 }}>
        {token === '' && <Alert tone="error">{t`The link is incomplete: it carries no token.`}</Alert>}
        {token !== '' && agreement.isSuccess && (
          <Alert tone="success">
            {agreement.data.in_force
              ? t`The new email is in force. Please log in with it from now on.`
              : t`You have agreed. The new email takes effect once it is confirmed by the link that was mailed to it.`}
          </Alert>
        )}
        {token !== '' && !agreement.isSuccess && (
          <>
            {agreement.isError && (
              <Alert tone="error">
                {errorMessage(agreement.error, t`Your agreement could not be saved. Please try again.`)}
              </Alert>
            )}
            <Typography>
              {t`Somebody who is logged in to your account asked to use another email address for it: the one that our mail names. Agree only if it was you. Afterwards this address no longer opens your account.`}
            </Typography>
            <Button
              variant="contained"
              color="primary"
              size="large"
              loading={agreement.isPending}
              onClick={() => agreement.mutate()}
            >
              {t`Agree to the new email`}
            </Button>
          </>
        )}
      </Box>
    </AuthLayout>
  );
}
