import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { TextField } from '../../ui/TextField';
import { AuthLayout } from '../../studio/shared/accounts/AuthLayout';
import { PasswordsOff } from './PasswordsOff';
import { requestPasswordReset } from './sessions';
import { useLogins } from '../../studio/shared/accounts/logins';
import { FormStack } from '../../studio/shared/accounts/FormStack';
import { emailSchema } from '../../studio/shared/accounts/schemas';

export default function ForgotPasswordPage() {
  const form = useForm({ resolver: zodResolver(emailSchema), defaultValues: { email: '' } });
  const request = useMutation({ mutationFn: requestPasswordReset });
  const { passwords } = useLogins();
  const texts = {
    title: t`Forgot password`,
    tagline: t`It happens to the best nights.`,
    taglineText: t`Your events and photos stay where they are.`,
  };
  if (!passwords) return <PasswordsOff {...texts} />;
  return (
    <AuthLayout {...texts} subtitle={t`We send you a link that sets a new one.`}>
      <FormStack onSubmit={(event) => void form.handleSubmit(({ email }) => request.mutate(email))(event)}>
        {request.isError && (
          <Alert tone="error">
            {errorMessage(request.error, t`Failed to send the link. Please try again.`)}
          </Alert>
        )}
        {request.isSuccess ? (
          <Alert tone="success">
            {t`If ${{ address: request.variables }} has an account, a link is on its way. It is good for one hour.`}
          </Alert>
        ) : (
          <>
            <TextField
              label={t`Email`}
              type="email"
              autoComplete="username"
              required
              error={form.formState.errors.email?.message}
              {...form.register('email')}
            />
            <Button
              type="submit"
              variant="contained"
              color="primary"
              size="large"
              loading={request.isPending}
            >
              {t`Send link`}
            </Button>
          </>
        )}
        <Typography align="center">
          <MuiLink component={Link} to="/login" color="textPrimary" sx={{ fontWeight: 500 }}>
            {t`Back to login`}
          </MuiLink>
        </Typography>
      </FormStack>
    </AuthLayout>
  );
}
