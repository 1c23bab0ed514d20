import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Alert } from '../../ui/Alert';
import { PasswordField } from '../../ui/PasswordField';
import { useLogins } from '../shared/accounts/logins';
import { apiTokensQuery, changeErrorMessage, changePassword } from './account';
import { SettingCard, SettingForm, useSavedMessage } from './SettingCard';

const minLength = 6;
const emptyForm = { current: '', wanted: '', confirmation: '' };

type Form = typeof emptyForm;

function validate({ wanted, confirmation }: Form): string | null {
  if (wanted !== confirmation) return t`New passwords do not match`;
  // Counted in code points, as on the server.
  if (Array.from(wanted).length < minLength) return t`New password must be at least 6 characters long`;
  return null;
}

export function PasswordCard() {
  const queries = useQueryClient();
  const [editing, setEditing] = useState(false);
  const [form, setForm] = useState(emptyForm);
  const [keepsTokens, setKeepsTokens] = useState(false);
  const [validationError, setValidationError] = useState<string | null>(null);
  const [saved, setSaved] = useSavedMessage();
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      setEditing(false);
      setForm(emptyForm);
      setKeepsTokens(false);
      void queries.invalidateQueries({ queryKey: apiTokensQuery().queryKey });
      setSaved(t`Password changed successfully!`);
    },
  });
  const { passwords } = useLogins();
  if (!passwords) return null;
  const filled = form.current !== '' && form.wanted !== '' && form.confirmation !== '';

  const toggle = () => {
    change.reset();
    setForm(emptyForm);
    setKeepsTokens(false);
    setValidationError(null);
    setEditing(!editing);
  };
  const submit = () => {
    if (!filled) return;
    const invalid = validate(form);
    setValidationError(invalid);
    if (invalid !== null) return;
    change.mutate({
      current_password: form.current,
      new_password: form.wanted,
      keep_api_tokens: keepsTokens,
    });
  };
  const error =
    validationError ??
    (change.isError
      ? changeErrorMessage(change.error, t`Failed to change password`, t`Invalid current password`)
      : null);
  const fieldProps = (field: keyof Form) => ({
    value: form[field],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [field]: event.target.value }),
  });
  return (
    <SettingCard
      title={t`Password Reset`}
      toggleLabel={t`Change Password`}
      editing={editing}
      saved={saved}
      onToggle={toggle}
    >
      <SettingForm onSubmit={submit}>
        {error !== null && <Alert tone="error">{error}</Alert>}
        <PasswordField
          label={t`Current Password`}
          autoComplete="current-password"
          autoFocus
          {...fieldProps('current')}
        />
        <PasswordField
          label={t`New Password`}
          autoComplete="new-password"
          helperText={t`Password must be at least 6 characters long`}
          {...fieldProps('wanted')}
        />
        <PasswordField
          label={t`Confirm New Password`}
          autoComplete="new-password"
          {...fieldProps('confirmation')}
        />
        <FormControlLabel
          control={<Switch checked={keepsTokens} onChange={(_, value) => setKeepsTokens(value)} />}
          label={t`Keep API tokens and camera logins`}
        />
        <Button
          type="submit"
          variant="contained"
          color="primary"
          disabled={!filled}
          loading={change.isPending}
        >
          {t`Update Password`}
        </Button>
      </SettingForm>
    </SettingCard>
  );
}
