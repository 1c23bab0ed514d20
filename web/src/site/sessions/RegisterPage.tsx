import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { AuthLayout } from '../../studio/shared/accounts/AuthLayout';
import { FormStack } from '../../studio/shared/accounts/FormStack';
import { emptyRegistration, RegistrationFields } from '../../studio/shared/accounts/RegistrationFields';
import { useLogins } from '../../studio/shared/accounts/logins';
import { registrationSchema } from '../../studio/shared/accounts/schemas';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { storedInvitation } from '../../platform/invitation';
import { PasswordsOff } from './PasswordsOff';
import { register } from './sessions';

const aside = () =>
  ({
    illustration: 'candles',
    tagline: t`Your first hundred photos are free.`,
    taglineText: t`After that, one rupee a photo. Nothing monthly.`,
  }) as const;

/** Shown after a registration, whether or not the email was sent. */
function CheckYourEmail({ address, emailSent }: { address: string; emailSent: boolean }) {
  return (
    <AuthLayout title={t`Check Your Email!`} {...aside()}>
      <Box sx={{ display: 'grid', gap: 5, mt: 6 }}>
        {emailSent ? (
          <Alert tone="success">
            {t`Registration successful! Please check your email to verify your account.`}
          </Alert>
        ) : (
          <Alert tone="warning">
            {t`Registration successful, but verification email could not be sent. Please contact support.`}
          </Alert>
        )}
        <Box component="ol" sx={{ m: 0, pl: 5, display: 'grid', gap: 2, color: 'text.secondary' }}>
          <li>
            <Trans>
              Open the mail we sent to <b>{address}</b>. It may lie among the unwanted ones.
            </Trans>
          </li>
          <li>{t`Follow its link within 24 hours to verify the address.`}</li>
          <li>
            {storedInvitation.read() === null
              ? t`Log in and create your first event.`
              : t`Log in with this browser: the invitation waits here.`}
          </li>
        </Box>
        <Button component={Link} to="/login" variant="contained" color="primary" size="large">
          {t`Go to Login`}
        </Button>
      </Box>
    </AuthLayout>
  );
}

export default function RegisterPage() {
  const form = useForm({
    resolver: zodResolver(registrationSchema),
    defaultValues: emptyRegistration,
  });
  const registration = useMutation({ mutationFn: register });

  const { passwords } = useLogins();

  if (!passwords) return <PasswordsOff title={t`Register`} {...aside()} />;
  if (registration.isSuccess) {
    return <CheckYourEmail address={registration.variables.email} emailSent={registration.data.email_sent} />;
  }
  return (
    <AuthLayout
      title={t`Register`}
      subtitle={
        <Trans>
          For photographers. Have an account?{' '}
          <MuiLink component={Link} to="/login" color="textPrimary">
            Login
          </MuiLink>
        </Trans>
      }
      {...aside()}
    >
      <FormStack
        onSubmit={(event) =>
          void form.handleSubmit(({ name, email, password }) =>
            registration.mutate({ name, email, password }),
          )(event)
        }
      >
        {registration.isError && (
          <Alert tone="error">{errorMessage(registration.error, t`Registration failed`)}</Alert>
        )}
        <RegistrationFields form={form} />
        <Button
          type="submit"
          variant="contained"
          color="primary"
          size="large"
          loading={registration.isPending}
        >
          {t`Create account`}
        </Button>
        <Typography variant="caption" color="textDisabled" align="center">
          {t`Starts with ₹100 of free credit. No card needed.`}
        </Typography>
      </FormStack>
    </AuthLayout>
  );
}
