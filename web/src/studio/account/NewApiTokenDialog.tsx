import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import { ActionDialog } from '../../ui/ActionDialog';
import { Choice } from '../../ui/Choice';
import { LifetimeChoice, daysOf, usualLifetime } from '../shared/security/LifetimeChoice';
import { CurrentPasswordField } from '../shared/accounts/CurrentPasswordField';
import { SecretDialog } from '../../ui/SecretDialog';
import { TextField } from '../../ui/TextField';
import { createApiToken } from './account';

const maxNameLength = 100;

/** Asks what a new API token is for, then shows it, once. */
export function NewApiTokenDialog({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState('upload');
  const [lifetime, setLifetime] = useState(usualLifetime);
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const create = useMutation({ mutationFn: createApiToken, onSuccess: onCreated });
  if (create.data !== undefined) return <CreatedToken text={create.data.token} onClose={onClose} />;

  const nameError = name.trim() === '' ? t`Please give the token a name` : undefined;
  return (
    <ActionDialog
      title={t`New API token`}
      text={t`Give each program a token of its own, so that you can revoke it alone.`}
      action={t`Create token`}
      busy={create.isPending}
      failure={
        create.isError
          ? errorMessage(create.error, t`The token could not be created. Please try again.`)
          : null
      }
      onClose={onClose}
      onSubmit={() => {
        setAsked(true);
        if (nameError !== undefined) return;
        create.mutate({ name: name.trim(), scope, lifetime_days: daysOf(lifetime), password });
      }}
    >
      <TextField
        label={t`Token name`}
        helperText={t`Such as Lightroom at the studio`}
        error={asked ? nameError : undefined}
        autoFocus
        value={name}
        inputProps={{ maxLength: maxNameLength }}
        onChange={(event) => setName(event.target.value)}
      />
      <Choice
        label={t`What it may do`}
        value={scope}
        onChange={setScope}
        help={
          scope === 'all'
            ? t`Everything that you can do with events and photos. Never your account, its tokens, or payments.`
            : t`Upload photos to your events, and see what became of them. It cannot see or delete photos.`
        }
      >
        <option value="upload">{t`Uploads only`}</option>
        <option value="all">{t`Everything`}</option>
      </Choice>
      <LifetimeChoice value={lifetime} endless={t`Until it is revoked`} onChange={setLifetime} />
      <CurrentPasswordField
        label={t`Current Password`}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </ActionDialog>
  );
}

function CreatedToken({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <SecretDialog
      title={t`Your new API token`}
      note={t`Copy it now: it is not shown again. Whoever has it can act for you, so keep it like a password.`}
      secret={text}
      copiedText={t`Token copied to clipboard!`}
      failedText={t`The token could not be copied. Please select it and copy it yourself.`}
      onClose={onClose}
    />
  );
}
