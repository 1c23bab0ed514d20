import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useLogins } from '../shared/accounts/logins';
import { errorMessage } from '../../platform/api/errors';
import type { components } from '../../platform/api/schema.gen';
import { ActionDialog } from '../../ui/ActionDialog';
import { Alert } from '../../ui/Alert';
import { CurrentPasswordField } from '../shared/accounts/CurrentPasswordField';
import { SettingCard } from './SettingCard';
import { beginSingleSignOnLink, singleSignOnQuery, unlinkSingleSignOn } from './singleSignOn';

type SingleSignOn = components['schemas']['SingleSignOnBody'];

/** What has come of the way to the provider and back, as the fragment of the page's address says it. */
function outcomeOf(hash: string) {
  if (hash === '#linked') return <Alert tone="success">{t`Single sign-on opens your account now.`}</Alert>;
  const code = new URLSearchParams(hash.slice(1)).get('refused');
  return code === null ? undefined : <Alert tone="error">{refusedText(code)}</Alert>;
}

function refusedText(code: string): string {
  switch (code) {
    case 'single_sign_on_unavailable':
      return t`Single sign-on is not reachable right now. Please try again in a few minutes.`;
    case 'single_sign_on_refused':
      return t`Single sign-on did not confirm who you are. Please try again.`;
    case 'single_sign_on_taken':
      return t`This single sign-on is linked to another account.`;
    default:
      return t`Single sign-on could not be linked. Please try again.`;
  }
}

function stateOf({ linked_at, last_used_at }: SingleSignOn): string {
  if (linked_at == null) return t`It does not open your account yet.`;
  if (last_used_at == null) return t`Linked`;
  const time = i18n.date(new Date(last_used_at), { dateStyle: 'medium', timeStyle: 'short' });
  return t`Linked, last used ${{ time }}`;
}

/** Whether single sign-on opens the account; nothing where the service has none. */
export function SingleSignOnCard() {
  const offered = useLogins().singleSignOn !== null;
  const singleSignOn = useQuery({ ...singleSignOnQuery(), enabled: offered });
  const [asking, setAsking] = useState(false);
  const { hash } = useLocation();
  const state = singleSignOn.data;
  if (state === undefined) return null;
  const canChange = !state.linked || state.can_unlink;
  return (
    <>
      <SettingCard
        title={state.label}
        value={stateOf(state)}
        note={outcomeOf(hash)}
        toggleLabel={canChange ? (state.linked ? t`Unlink` : t`Link`) : null}
        editing={false}
        saved={null}
        onToggle={() => setAsking(true)}
      >
        {null}
      </SettingCard>
      {asking && <Change state={state} onClose={() => setAsking(false)} />}
    </>
  );
}

function Change({ state, onClose }: { state: SingleSignOn; onClose: () => void }) {
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: async () => {
      if (state.linked) await unlinkSingleSignOn(password);
      else window.location.assign((await beginSingleSignOnLink(password)).url);
    },
    onSuccess: () => {
      if (!state.linked) return;
      void queries.invalidateQueries({ queryKey: singleSignOnQuery().queryKey });
      onClose();
    },
  });
  const { label } = state;
  return (
    <ActionDialog
      title={state.linked ? t`Unlink ${{ label }}?` : t`Link ${{ label }}?`}
      text={
        state.linked
          ? t`It opens your account no more. You log in with your email and password.`
          : t`You log in there now, and whoever can do that opens your account from then on.`
      }
      action={state.linked ? t`Unlink` : t`Link`}
      danger={state.linked}
      busy={change.isPending}
      failure={
        change.isError
          ? errorMessage(change.error, t`The setting could not be saved. Please try again.`)
          : null
      }
      onClose={onClose}
      onSubmit={() => change.mutate()}
    >
      <CurrentPasswordField
        label={t`Current Password`}
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </ActionDialog>
  );
}
