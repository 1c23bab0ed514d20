import { zodResolver } from '@hookform/resolvers/zod';
import { siteName } from '../../platform/siteName';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useNavigate } from 'react-router';
import { AuthLayout } from '../shared/accounts/AuthLayout';
import { FormStack } from '../shared/accounts/FormStack';
import { emptyRegistration, RegistrationFields } from '../shared/accounts/RegistrationFields';
import { registrationSchema } from '../shared/accounts/schemas';
import { ApiError, errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { storedToken, storedUser } from '../../platform/storage/storage';
import { createAdministrator, linkQuery } from './setup';

/** What is wrong with the link, and not with the form. */
const linkRefusals = ['setup_link_unknown', 'already_set_up'];

const isLinkRefusal = (error: unknown) =>
  error instanceof ApiError && error.code !== undefined && linkRefusals.includes(error.code);

function Layout({ subtitle, children }: { subtitle?: string; children: ReactNode }) {
  return (
    <AuthLayout
      title={t`Set up ${siteName}`}
      {...(subtitle !== undefined && { subtitle })}
      illustration="lanterns"
      tagline={t`Hang the lights first.`}
      taglineText={t`One account, a look at the settings, and the first event can begin.`}
    >
      {children}
    </AuthLayout>
  );
}

/** A link that cannot be used, and what else can be done. */
function Refused({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const isDone = error instanceof ApiError && error.code === 'already_set_up';
  return (
    <Layout>
      <Box sx={{ display: 'grid', gap: 4.5, mt: 7 }}>
        <Alert tone="error">
          {error === null
            ? t`The link is not complete. Copy all of it from what the server has printed.`
            : errorMessage(error, t`The link could not be checked. Please try again.`)}
        </Alert>
        {isDone && (
          <Button component={Link} to="/login" variant="contained" color="primary" size="large">
            {t`Go to Login`}
          </Button>
        )}
        {onRetry !== undefined && (
          <Button variant="contained" color="primary" size="large" onClick={onRetry}>
            {t`Try again`}
          </Button>
        )}
      </Box>
    </Layout>
  );
}

/** The form of the administrator's account, for whoever has the link. */
export function AdministratorStep({ token }: { token: string }) {
  const link = useQuery({ ...linkQuery(token), enabled: token !== '' });
  if (token === '') return <Refused error={null} />;
  if (link.isError) {
    return (
      <Refused
        error={link.error}
        {...(!isLinkRefusal(link.error) && { onRetry: () => void link.refetch() })}
      />
    );
  }
  if (link.isPending) {
    return (
      <Layout>
        <Typography color="textSecondary" role="status" sx={{ mt: 7 }}>
          {t`Loading...`}
        </Typography>
      </Layout>
    );
  }
  return <AdministratorForm token={token} hasAccounts={link.data.has_accounts} />;
}

function AdministratorForm({ token, hasAccounts }: { token: string; hasAccounts: boolean }) {
  const navigate = useNavigate();
  const form = useForm({ resolver: zodResolver(registrationSchema), defaultValues: emptyRegistration });
  const creation = useMutation({
    mutationFn: createAdministrator,
    onSuccess: ({ token: session, user }) => {
      storedUser.write({ ...user, pending_email: user.pending_email ?? null });
      storedToken.write(session);
      // The token has been used up, and need not stay in the history.
      void navigate('/setup', { replace: true });
    },
  });
  if (creation.isError && isLinkRefusal(creation.error)) return <Refused error={creation.error} />;
  return (
    <Layout
      subtitle={
        hasAccounts
          ? t`Make an administrator’s account, or enter address and password of your own.`
          : t`Make the first account. It is an administrator’s.`
      }
    >
      <FormStack
        onSubmit={(event) =>
          void form.handleSubmit(({ name, email, password }) =>
            creation.mutate({ token, name, email, password }),
          )(event)
        }
      >
        {creation.isError && (
          <Alert tone="error">
            {errorMessage(creation.error, t`The account could not be made. Please try again.`)}
          </Alert>
        )}
        <RegistrationFields form={form} />
        <Button type="submit" variant="contained" color="primary" size="large" loading={creation.isPending}>
          {t`Create account`}
        </Button>
        <Typography variant="caption" color="textDisabled" align="center">
          {t`The address counts as verified. No mail is sent.`}
        </Typography>
      </FormStack>
    </Layout>
  );
}
