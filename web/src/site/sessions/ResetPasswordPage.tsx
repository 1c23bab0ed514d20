import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { PasswordField } from '../../ui/PasswordField';
import { clearSession } from '../../platform/storage/storage';
import { AuthLayout } from '../../studio/shared/accounts/AuthLayout';
import { useLinkToken } from '../../studio/shared/accounts/useLinkToken';
import { resetPassword } from './sessions';
import { FormStack } from '../../studio/shared/accounts/FormStack';
import { newPasswordSchema } from '../../studio/shared/accounts/schemas';

const aside = () => ({
  tagline: t`It happens to the best nights.`,
  taglineText: t`Your events and photos stay where they are.`,
});

export default function ResetPasswordPage() {
  const token = useLinkToken();
  const form = useForm({
    resolver: zodResolver(newPasswordSchema),
    defaultValues: { password: '', confirmation: '' },
  });
  const { errors } = form.formState;
  const reset = useMutation({
    mutationFn: (password: string) => resetPassword(token, password),
    // The server has revoked all sessions of the account, including this one.
    onSuccess: clearSession,
  });

  if (token === '' || reset.isSuccess) {
    return (
      <AuthLayout title={t`New password`} {...aside()}>
        <Box sx={{ display: 'grid', gap: 4.5, mt: 7 }}>
          {reset.isSuccess ? (
            <>
              <Alert tone="success">{t`Your new password is set. Please log in with it.`}</Alert>
              <Button component={Link} to="/login" variant="contained" color="primary" size="large">
                {t`Go to Login`}
              </Button>
            </>
          ) : (
            <>
              <Alert tone="error">{t`The link is incomplete: it carries no token.`}</Alert>
              <Button component={Link} to="/forgot-password" variant="contained" color="primary" size="large">
                {t`Request New Link`}
              </Button>
            </>
          )}
        </Box>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t`New password`} subtitle={t`At least 6 characters.`} {...aside()}>
      <FormStack
        onSubmit={(event) => void form.handleSubmit(({ password }) => reset.mutate(password))(event)}
      >
        {reset.isError && (
          <Alert tone="error">
            {errorMessage(reset.error, t`Failed to set the new password. Please try again.`)}
          </Alert>
        )}
        <PasswordField
          label={t`New password`}
          autoComplete="new-password"
          required
          error={errors.password?.message}
          {...form.register('password')}
        />
        <PasswordField
          label={t`Confirm new password`}
          autoComplete="new-password"
          required
          error={errors.confirmation?.message}
          {...form.register('confirmation')}
        />
        <Button type="submit" variant="contained" color="primary" size="large" loading={reset.isPending}>
          {t`Set password`}
        </Button>
      </FormStack>
    </AuthLayout>
  );
}
