import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { AuthLayout } from '../../studio/shared/accounts/AuthLayout';
import { useLinkToken } from '../../studio/shared/accounts/useLinkToken';
import { revokeRegistration } from './sessions';

/**
 * The page of the link 'This was not me' in the mail to a registered address. Opening it changes nothing, since mail programs
 * open links to look at them: the button does.
 */
export default function RevokeRegistrationPage() {
  const token = useLinkToken();
  const removal = useMutation({ mutationFn: () => revokeRegistration(token) });
  return (
    <AuthLayout
      title={t`This wasn't me`}
      tagline={t`Your address stays yours.`}
      taglineText={t`Nobody can use it here without you.`}
    >
      <Box aria-live="polite" sx={{ display: 'grid', gap: 4.5, mt: 7 }}>
        {token === '' && <Alert tone="error">{t`The link is incomplete: it carries no token.`}</Alert>}
        {removal.isSuccess && (
          <Alert tone="success">{t`The account is removed. There is nothing else to do.`}</Alert>
        )}
        {token !== '' && !removal.isSuccess && (
          <>
            {removal.isError && (
              <Alert tone="error">
                {errorMessage(removal.error, t`The account could not be removed. Please try again.`)}
              </Alert>
            )}
            <Typography>
              {t`Somebody has registered with your email address. Nobody can log in to that account before the address is confirmed. If it was not you, have it removed.`}
            </Typography>
            <Button
              variant="contained"
              color="primary"
              size="large"
              loading={removal.isPending}
              onClick={() => removal.mutate()}
            >
              {t`Remove the account`}
            </Button>
          </>
        )}
      </Box>
    </AuthLayout>
  );
}
