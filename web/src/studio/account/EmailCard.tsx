import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { CurrentPasswordField } from '../shared/accounts/CurrentPasswordField';
import { TextField } from '../../ui/TextField';
import { changeErrorMessage, updateEmail } from './account';
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
  needsAgreement,
  onSaved,
}: {
  email: string;
  /** The new address until it is in force. */
  pending: string | null;
  /** Whether the current address has to agree to the new one, too. */
  needsAgreement: boolean;
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
      setSaved(
        user.pending_email_needs_agreement
          ? t`Links were sent to ${address} and to your current email.`
          : t`A verification link was sent to ${address}.`,
      );
    },
  });
  const wanted = form.email.trim();
  const repeated = form.confirmation.trim();
  const differ = wanted !== repeated;

  const toggle = () => {
    change.reset();
    setForm(emptyForm);
    setValidationError(null);
    setEditing(!editing);
  };
  // The button is disabled while the two differ, but the Enter key still submits.
  const submit = () => {
    setValidationError(differ ? t`Email addresses do not match` : null);
    if (differ || wanted === '') return;
    change.mutate({ email: wanted, ...(form.password !== '' && { current_password: form.password }) });
  };
  const error =
    validationError ?? (change.isError ? changeErrorMessage(change.error, t`Failed to update email`) : null);
  return (
    <SettingCard
      title={t`Email`}
      value={<WrappingAddress>{email}</WrappingAddress>}
      note={
        pending === null ? undefined : (
          <WrappingAddress>
            {needsAgreement
              ? t`${{ address: pending }} waits for your agreement, by the link in the mail to your current email.`
              : t`${{ address: pending }} waits for its verification.`}
          </WrappingAddress>
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
        <CurrentPasswordField
          label={t`Current Password (optional)`}
          helperText={t`With your password the new email alone has to be confirmed. Without it you also have to agree by a link that we mail to your current email.`}
          value={form.password}
          onChange={(event) => setForm({ ...form, password: event.target.value })}
        />
        <Button
          type="submit"
          variant="contained"
          color="primary"
          disabled={wanted === '' || differ}
          loading={change.isPending}
        >
          {t`Update Email`}
        </Button>
      </SettingForm>
    </SettingCard>
  );
}
