import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useLocation, useNavigate } from 'react-router';
import { ApiError, errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { PasswordField } from '../../ui/PasswordField';
import { TextField } from '../../ui/TextField';
import { storedReturn, storedToken, storedUser } from '../../platform/storage/storage';
import { takeInvitation } from '../../platform/invitation';
import { AuthLayout } from '../../studio/shared/accounts/AuthLayout';
import { useLogins } from '../../studio/shared/accounts/logins';
import { canUsePasskeys } from '../../studio/shared/security/webauthn';
import {
  type Credentials,
  login,
  loginWithPasskey,
  type SecondFactorAsked,
  secondFactorAsked,
} from './sessions';
import { landingOf, loginWithTicket, refusedText, singleSignOnAddress, ticketFailure } from './singleSignOn';
import { FormStack } from '../../studio/shared/accounts/FormStack';
import { loginSchema } from '../../studio/shared/accounts/schemas';
import { ResendVerification } from './ResendVerification';

type Attempt = (Credentials | { ticket: string }) & { code?: string; withPasskey?: boolean };

type Opened = Awaited<ReturnType<typeof login>> & { next?: string };

function send({ withPasskey = false, ...attempt }: Attempt, question: SecondFactorAsked['passkey']) {
  const open = (more: object): Promise<Opened> =>
    'ticket' in attempt ? loginWithTicket({ ...attempt, ...more }) : login({ ...attempt, ...more });
  return withPasskey ? loginWithPasskey(open, question ?? null) : open({});
}

export default function LoginPage() {
  const navigate = useNavigate();
  const [tokenMissing, setTokenMissing] = useState(false);
  const [step, setStep] = useState<'password' | 'code' | 'passkey'>('password');
  const [asked, setAsked] = useState<SecondFactorAsked | null>(null);
  // A question is good for one answer.
  const [question, setQuestion] = useState<NonNullable<SecondFactorAsked['passkey']> | null>(null);
  const [code, setCode] = useState('');
  const form = useForm({ resolver: zodResolver(loginSchema), defaultValues: { email: '', password: '' } });
  const { errors } = form.formState;
  const [reason] = useState(() => storedReturn.read()?.reason ?? null);
  const logins = useLogins();
  const { hash } = useLocation();
  const [landing] = useState(() => landingOf(hash));
  const [ticket, setTicket] = useState(landing.ticket);

  const attempt = useMutation({
    mutationFn: (wanted: Attempt) => send(wanted, question),
    onMutate: () => setTokenMissing(false),
    onError: (error, { withPasskey = false }) => {
      const next = secondFactorAsked(error);
      if (next === null) {
        if (withPasskey) setQuestion(null);
        return;
      }
      setAsked(next);
      setQuestion(next.passkey ?? null);
      if (step === 'password' || next.passkey == null)
        setStep(next.passkey != null && canUsePasskeys() ? 'passkey' : 'code');
    },
    onSuccess: ({ token, user, next }) => {
      // A response without a token violates the API contract, but must not break the page.
      if (!token) {
        setTokenMissing(true);
        return;
      }
      storedUser.write({ ...user, pending_email: user.pending_email ?? null });
      storedToken.write(token);
      // Whoever came from an invitation goes back to it.
      const target = takeInvitation() ?? next ?? storedReturn.read()?.path ?? '/admin/overview';
      storedReturn.remove();
      void navigate(target, { replace: true });
    },
  });
  const isAsked = secondFactorAsked(attempt.error) !== null;
  // Once: what the fragment has is good for one session, and nothing for whoever looks at the address.
  const { mutate } = attempt;
  const landed = useRef(false);
  useEffect(() => {
    if (landed.current || hash === '') return;
    landed.current = true;
    void navigate('/login', { replace: true });
    if (landing.ticket !== null) mutate({ ticket: landing.ticket });
  }, [hash, landing, mutate, navigate]);
  const unverified = attempt.error instanceof ApiError && attempt.error.status === 403 && !isAsked;
  // The field itself asks for the code first; the text says so to whoever sent none.
  const isFirst = isAsked && attempt.variables?.code === undefined;
  const failure = step === 'passkey' ? t`The passkey could not be used. Please try again.` : t`Login failed`;
  const failureText = (error: Error) =>
    (ticket === null ? null : ticketFailure(error)) ?? errorMessage(error, failure);
  const more = { ...(step === 'code' && { code }), ...(step === 'passkey' && { withPasskey: true }) };
  const submit = (event: SyntheticEvent) => {
    if (ticket === null || step === 'password') {
      void form.handleSubmit((values) => attempt.mutate({ ...values, ...more }))(event);
      return;
    }
    event.preventDefault();
    attempt.mutate({ ticket, ...more });
  };
  const turnTo = (next: 'code' | 'passkey') => {
    attempt.reset();
    setStep(next);
  };
  const back = () => {
    attempt.reset();
    setTicket(null);
    setCode('');
    setStep('password');
  };

  return (
    <AuthLayout
      title={t`Login`}
      subtitle={
        logins.passwords && (
          <Trans>
            New here?{' '}
            <MuiLink component={Link} to="/register" color="textPrimary">
              Register
            </MuiLink>
          </Trans>
        )
      }
      illustration="sparklers"
      tagline={t`The party ends. The photos don’t.`}
      taglineText={t`Every guest finds their own, the same night.`}
    >
      <FormStack onSubmit={submit}>
        {reason !== null && attempt.isIdle && <Alert tone="warning">{reason}</Alert>}
        {attempt.isError && !isFirst && <Alert tone="error">{failureText(attempt.error)}</Alert>}
        {landing.refused !== null && attempt.isIdle && (
          <Alert tone="error">{refusedText(landing.refused) ?? t`Login failed`}</Alert>
        )}
        {tokenMissing && (
          <Alert tone="error">{t`Login successful, but no token received. Please try again.`}</Alert>
        )}
        {unverified && <ResendVerification email={form.getValues('email')} />}
        {step === 'code' && (
          <TextField
            label={t`Code`}
            helperText={
              asked?.authenticator_app === false
                ? t`One of your recovery codes`
                : t`Six digits of the authenticator app, or a recovery code`
            }
            autoComplete="one-time-code"
            autoFocus
            value={code}
            inputProps={{ dir: 'ltr', maxLength: 40, spellCheck: false, autoCapitalize: 'none' }}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
        {step === 'passkey' && <Typography>{t`Confirm with your passkey that it is you.`}</Typography>}
        {step === 'password' && logins.passwords && (
          <>
            <TextField
              label={t`Email`}
              type="email"
              autoComplete="username"
              required
              error={errors.email?.message}
              {...form.register('email')}
            />
            <PasswordField
              label={t`Password`}
              autoComplete="current-password"
              required
              error={errors.password?.message}
              {...form.register('password')}
            />
          </>
        )}
        {(step !== 'password' || logins.passwords) && (
          <Button type="submit" variant="contained" color="primary" size="large" loading={attempt.isPending}>
            {step === 'passkey' ? t`Use your passkey` : t`Login`}
          </Button>
        )}
        {step === 'password' && logins.singleSignOn !== null && (
          <Button
            component="a"
            href={singleSignOnAddress(storedReturn.read()?.path ?? '/admin/overview')}
            variant={logins.passwords ? 'outlined' : 'contained'}
            size="large"
          >
            {logins.singleSignOn}
          </Button>
        )}
        {step === 'passkey' && (
          <Button onClick={() => turnTo('code')}>
            {asked?.authenticator_app === true ? t`Use a code instead` : t`Use a recovery code instead`}
          </Button>
        )}
        {step === 'code' && asked?.passkey != null && canUsePasskeys() && (
          <Button onClick={() => turnTo('passkey')}>{t`Use your passkey instead`}</Button>
        )}
        {step !== 'password' && <Button onClick={back}>{t`Back`}</Button>}
        {step === 'password' && logins.passwords && (
          <Typography align="center">
            <MuiLink component={Link} to="/forgot-password" color="textPrimary" sx={{ fontWeight: 500 }}>
              {t`Forgot password`}
            </MuiLink>
          </Typography>
        )}
      </FormStack>
    </AuthLayout>
  );
}
