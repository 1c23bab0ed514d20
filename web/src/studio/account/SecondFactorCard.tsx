import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { components } from '../../platform/api/schema.gen';
import { Alert } from '../../ui/Alert';
import { CurrentPasswordField } from '../shared/accounts/CurrentPasswordField';
import { removeSecondFactor, secondFactorQuery } from '../shared/security/secondFactors';
import { CodeField } from '../shared/security/CodeField';
import { Form, SecondFactorSetup } from '../shared/security/SecondFactorSetup';
import { sessionsQuery } from './account';
import { SettingCard, useSavedMessage } from './SettingCard';

type SecondFactor = components['schemas']['SecondFactorBody'];

function stateText({ since, last_used_at, passkeys, recovery_codes }: SecondFactor): string {
  if (since == null && passkeys === 0) return t`Off. Your password alone is enough to log in.`;
  const left = plural(recovery_codes, {
    one: '# recovery code is left.',
    other: '# recovery codes are left.',
  });
  if (since == null) return t`On, with passkeys and no authenticator app. ${left}`;
  const day = i18n.date(new Date(since), { dateStyle: 'medium' });
  if (last_used_at == null) return t`On since ${day}. ${left}`;
  const time = i18n.date(new Date(last_used_at), { dateStyle: 'medium', timeStyle: 'short' });
  return t`On since ${day}, last used ${time}. ${left}`;
}

/** Two-step login: set up, and turned off. */
export function SecondFactorCard() {
  const queries = useQueryClient();
  const factor = useQuery(secondFactorQuery());
  const [editing, setEditing] = useState(false);
  const [showsCodes, setShowsCodes] = useState(false);
  const [saved, setSaved] = useSavedMessage();
  const readAgain = () => {
    void queries.invalidateQueries({ queryKey: secondFactorQuery().queryKey });
    void queries.invalidateQueries({ queryKey: sessionsQuery().queryKey });
  };
  const finish = (message: string) => {
    setEditing(false);
    setShowsCodes(false);
    setSaved(message);
    readAgain();
  };
  if (!factor.isSuccess)
    return factor.isError ? (
      <Alert tone="error">{errorMessage(factor.error, t`Two-step login could not be loaded.`)}</Alert>
    ) : null;
  const isOn = factor.data.since != null;
  return (
    <SettingCard
      title={t`Two-step login`}
      value={stateText(factor.data)}
      toggleLabel={showsCodes ? null : isOn ? t`Turn off` : t`Set up`}
      editing={editing}
      saved={saved}
      onToggle={() => setEditing(!editing)}
    >
      {isOn && !showsCodes ? (
        <Removal
          onDone={() =>
            finish(
              factor.data.passkeys > 0 ? t`The authenticator app was removed.` : t`Two-step login is off.`,
            )
          }
        />
      ) : (
        <SecondFactorSetup
          onTurnedOn={() => {
            setShowsCodes(true);
            readAgain();
          }}
          onDone={() => finish(t`Two-step login is on.`)}
        />
      )}
    </SettingCard>
  );
}

function Removal({ onDone }: { onDone: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const remove = useMutation({ mutationFn: removeSecondFactor, onSuccess: onDone });
  return (
    <Form
      failure={
        remove.isError
          ? errorMessage(remove.error, t`Two-step login could not be turned off. Please try again.`)
          : null
      }
      action={t`Turn off two-step login`}
      busy={remove.isPending}
      onSubmit={() => remove.mutate({ password, code })}
    >
      <CurrentPasswordField
        label={t`Current Password`}
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <CodeField value={code} onChange={setCode} />
    </Form>
  );
}
