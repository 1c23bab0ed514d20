import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { errorMessage } from '../../shared/api/errors';
import { ActionDialog } from '../../shared/components/ActionDialog';
import { SecretDialog } from '../../shared/components/SecretDialog';
import { TextField } from '../../shared/components/TextField';
import { createApiToken } from './api';

const maxNameLength = 100;

/** Asks what a new API token is for, then shows it, once. */
export function NewApiTokenDialog({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState('upload');
  const [lifetime, setLifetime] = useState('');
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
        create.mutate({ name: name.trim(), scope, lifetime_days: lifetime === '' ? null : Number(lifetime) });
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
      <Choice label={t`Good for`} value={lifetime} onChange={setLifetime}>
        <option value="">{t`Until it is revoked`}</option>
        <option value="7">{t`7 days`}</option>
        <option value="30">{t`30 days`}</option>
        <option value="365">{t`365 days`}</option>
      </Choice>
    </ActionDialog>
  );
}

function Choice({
  label,
  value,
  onChange,
  help,
  children,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  help?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Box>
      <Box component="label" htmlFor={id} sx={{ display: 'block', fontSize: 14, fontWeight: 600, mb: 1.5 }}>
        {label}
      </Box>
      <NativeSelect
        value={value}
        onChange={({ target }) => onChange(target.value)}
        input={<OutlinedInput />}
        inputProps={{ id }}
        fullWidth
      >
        {children}
      </NativeSelect>
      {help !== undefined && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
          {help}
        </Typography>
      )}
    </Box>
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
