import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../shared/api/types';
import { Alert } from '../../shared/components/Alert';
import { PasswordField } from '../../shared/components/PasswordField';
import { TextField } from '../../shared/components/TextField';
import { changeErrorMessage, updateEmail } from './api';
import { SettingCard, SettingForm, useSavedMessage } from './SettingCard';

/** An email address, or a sentence with one, that wraps after the @ if necessary. */
function WrappingAddress({ children }: { children: string }) {
  const domain = children.lastIndexOf('@') + 1;
  return (
    <>
      {children.slice(0, domain)}
      <wbr />
      {children.slice(domain)}
    </>
  );
}

const emptyForm = { email: '', confirmation: '', password: '' };

export function EmailCard({
  email,
  pending,
  onSaved,
}: {
  email: string;
  /** The new address until it is verified. */
  pending: string | null;
  onSaved: (user: User) => void;
}) {
  const [editing, setEditing] = useState(false);
  const [form, setForm] = useState(emptyForm);
  const [validationError, setValidationError] = useState<string | null>(null);
  const [saved, setSaved] = useSavedMessage();
  const change = useMutation({
    mutationFn: updateEmail,
    onSuccess: ({ user }, { email: address }) => {
      onSaved(user);
      setEditing(false);
      setForm(emptyForm);
      setSaved(t`A verification link was sent to ${address}.`);
    },
  });
  const wanted = form.email.trim();
  const repeated = form.confirmation.trim();
  const differ = wanted !== repeated;
  const filled = wanted !== '' && form.password !== '';

  const toggle = () => {
    change.reset();
    setForm(emptyForm);
    setValidationError(null);
    setEditing(!editing);
  };
  // The button is disabled while the two differ, but the Enter key still submits.
  const submit = () => {
    setValidationError(differ ? t`Email addresses do not match` : null);
    if (!differ && filled) change.mutate({ email: wanted, current_password: form.password });
  };
  const error =
    validationError ?? (change.isError ? changeErrorMessage(change.error, t`Failed to update email`) : null);
  return (
    <SettingCard
      title={t`Email`}
      value={<WrappingAddress>{email}</WrappingAddress>}
      note={
        pending === null ? undefined : (
          <WrappingAddress>{t`${{ address: pending }} waits for its verification.`}</WrappingAddress>
        )
      }
      toggleLabel={t`Change Email`}
      editing={editing}
      saved={saved}
      onToggle={toggle}
    >
      <SettingForm onSubmit={submit}>
        {error !== null && <Alert tone="error">{error}</Alert>}
        <TextField
          label={t`New email`}
          type="email"
          autoComplete="email"
          autoFocus
          value={form.email}
          onChange={(event) => setForm({ ...form, email: event.target.value })}
        />
        <TextField
          label={t`Confirm email`}
          type="email"
          autoComplete="email"
          value={form.confirmation}
          error={differ && repeated !== '' ? t`Emails do not match` : undefined}
          onChange={(event) => setForm({ ...form, confirmation: event.target.value })}
        />
        <PasswordField
          label={t`Current Password`}
          autoComplete="current-password"
          value={form.password}
          onChange={(event) => setForm({ ...form, password: event.target.value })}
        />
        <Button
          type="submit"
          variant="contained"
          color="primary"
          disabled={!filled || differ}
          loading={change.isPending}
        >
          {t`Update Email`}
        </Button>
      </SettingForm>
    </SettingCard>
  );
}
