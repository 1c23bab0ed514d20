import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, errorMessage } from '../../platform/api/errors';
import { Page } from '../../ui/Page';
import type { components } from '../../platform/api/schema.gen';
import { checkPasskey, checkSecondFactor, secondFactorQuery } from '../shared/security/secondFactors';
import { CodeField } from '../shared/security/CodeField';
import { PasskeySetup } from '../shared/security/PasskeySetup';
import { Form, SecondFactorSetup } from '../shared/security/SecondFactorSetup';
import { canUsePasskeys } from '../shared/security/webauthn';
import { LoadFailed, LoadingRows } from '../../ui/ScreenState';

type SecondFactor = components['schemas']['SecondFactorBody'];

/** What calls answer to a session that has to give its second factor first. */
const asks = (error: unknown): boolean =>
  error instanceof ApiError && (error.code ?? '').startsWith('administration_asks_for_');

/** Shows the administration once the session has given its second factor, which it does once in 12 hours. */
export function SecondFactorGate({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const factor = useQuery(secondFactorQuery());
  /** Whether the first visit shows recovery codes. They are shown once: no answer that comes meanwhile takes their place. */
  const [showsCodes, setShowsCodes] = useState(false);
  const open = () => {
    setShowsCodes(false);
    void queries.resetQueries();
  };
  // The 12 hours may end while a screen is shown.
  useEffect(() => {
    const ask = () => void queries.invalidateQueries({ queryKey: secondFactorQuery().queryKey });
    const forgetQueries = queries.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && asks(event.action.error)) ask();
    });
    const forgetMutations = queries.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && asks(event.action.error)) ask();
    });
    return () => {
      forgetQueries();
      forgetMutations();
    };
  }, [queries]);
  if (factor.data?.administration === 'nothing' && !showsCodes) return children;
  return (
    <Page width={720}>
      {factor.isError && !showsCodes && (
        <LoadFailed
          error={factor.error}
          fallback={t`Two-step login could not be loaded.`}
          asking={factor.isFetching}
          onRetry={() => void factor.refetch()}
        />
      )}
      {factor.isPending && <LoadingRows label={t`Loading...`} />}
      {factor.data !== undefined && (factor.isSuccess || showsCodes) && (
        <Card sx={{ p: { xs: 4, sm: '24px 28px' } }}>
          {factor.data.administration === 'code' && !showsCodes ? (
            <Check factor={factor.data} onDone={open} />
          ) : (
            <FirstVisit
              factor={factor.data}
              isSet={showsCodes}
              onSet={() => setShowsCodes(true)}
              onDone={open}
            />
          )}
        </Card>
      )}
    </Page>
  );
}

const mayUsePasskeys = (factor: SecondFactor): boolean => factor.passkeys_available && canUsePasskeys();

function FirstVisit({
  factor,
  isSet,
  onSet,
  onDone,
}: {
  factor: SecondFactor;
  isSet: boolean;
  /** It is set, and the recovery codes are shown. */
  onSet: () => void;
  onDone: () => void;
}) {
  const [withPasskey, setWithPasskey] = useState(false);
  return (
    <>
      <Typography variant="h2" component="h1">
        {t`Set up two-step login`}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 2 }}>
        {withPasskey
          ? t`The administration reaches every account, so it asks for more than a password. A passkey is the lock of your phone or computer, or a security key.`
          : t`The administration reaches every account, so it asks for more than a password. You need an authenticator app on your phone.`}
      </Typography>
      {withPasskey ? (
        <PasskeySetup onAdded={onSet} onDone={onDone} />
      ) : (
        <SecondFactorSetup onTurnedOn={onSet} onDone={onDone} />
      )}
      {mayUsePasskeys(factor) && !isSet && (
        <Button sx={{ mt: 4 }} onClick={() => setWithPasskey(!withPasskey)}>
          {withPasskey ? t`Use an authenticator app instead` : t`Use a passkey instead`}
        </Button>
      )}
    </>
  );
}

function Check({ factor, onDone }: { factor: SecondFactor; onDone: () => void }) {
  const hasPasskey = factor.passkeys > 0 && mayUsePasskeys(factor);
  const [withCode, setWithCode] = useState(!hasPasskey);
  return withCode ? (
    <>
      <CodeCheck onDone={onDone} />
      {hasPasskey && (
        <Button sx={{ mt: 4 }} onClick={() => setWithCode(false)}>{t`Use a passkey instead`}</Button>
      )}
    </>
  ) : (
    <>
      <PasskeyCheck onDone={onDone} />
      <Button sx={{ mt: 4 }} onClick={() => setWithCode(true)}>
        {factor.since == null ? t`Use a recovery code instead` : t`Use a code instead`}
      </Button>
    </>
  );
}

function PasskeyCheck({ onDone }: { onDone: () => void }) {
  const check = useMutation({ mutationFn: checkPasskey, onSuccess: onDone });
  return (
    <>
      <Typography variant="h2" component="h1">
        {t`Use your passkey`}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 2 }}>
        {t`The administration asks for it once in 12 hours.`}
      </Typography>
      <Form
        failure={
          check.isError
            ? errorMessage(check.error, t`The passkey could not be used. Please try again.`)
            : null
        }
        action={t`Continue`}
        busy={check.isPending}
        onSubmit={() => check.mutate()}
      >
        {null}
      </Form>
    </>
  );
}

function CodeCheck({ onDone }: { onDone: () => void }) {
  const [code, setCode] = useState('');
  const check = useMutation({ mutationFn: checkSecondFactor, onSuccess: onDone });
  return (
    <>
      <Typography variant="h2" component="h1">
        {t`Enter your code`}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 2 }}>
        {t`The administration asks for it once in 12 hours.`}
      </Typography>
      <Form
        failure={
          check.isError
            ? errorMessage(check.error, t`The code could not be checked. Please try again.`)
            : null
        }
        action={t`Continue`}
        busy={check.isPending}
        onSubmit={() => check.mutate(code)}
      >
        <CodeField autoFocus value={code} onChange={setCode} />
      </Form>
    </>
  );
}
