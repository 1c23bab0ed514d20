import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Alert } from '../../shared/components/Alert';
import { PasswordField } from '../../shared/components/PasswordField';
import { changePassword, changeProblem } from './calls';
import { SettingCard, SettingForm, useSavedMessage } from './SettingCard';

const minimum = 6;
const nothing = { current: '', wanted: '', confirmation: '' };

function refusalOf({ wanted, confirmation }: typeof nothing): string | null {
  if (wanted !== confirmation) return 'New passwords do not match';
  // Code points, as the server counts.
  if (Array.from(wanted).length < minimum) return 'New password must be at least 6 characters long';
  return null;
}

export function PasswordCard() {
  const [editing, setEditing] = useState(false);
  const [form, setForm] = useState(nothing);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [saved, setSaved] = useSavedMessage();
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      setEditing(false);
      setForm(nothing);
      setSaved('Password changed successfully!');
    },
  });
  const filled = form.current !== '' && form.wanted !== '' && form.confirmation !== '';

  const toggle = () => {
    change.reset();
    setForm(nothing);
    setRefusal(null);
    setEditing(!editing);
  };
  const submit = () => {
    if (!filled) return;
    const said = refusalOf(form);
    setRefusal(said);
    if (said === null) change.mutate({ current_password: form.current, new_password: form.wanted });
  };
  const problem =
    refusal ??
    (change.isError
      ? changeProblem(change.error, 'Failed to change password', 'Invalid current password')
      : null);
  const typed = (field: keyof typeof nothing) => ({
    value: form[field],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [field]: event.target.value }),
  });
  return (
    <SettingCard
      title="Password Reset"
      toggle="Change Password"
      editing={editing}
      saved={saved}
      onToggle={toggle}
    >
      <SettingForm onSubmit={submit}>
        {problem !== null && <Alert tone="error">{problem}</Alert>}
        <PasswordField
          label="Current Password"
          autoComplete="current-password"
          autoFocus
          {...typed('current')}
        />
        <PasswordField
          label="New Password"
          autoComplete="new-password"
          helperText="Password must be at least 6 characters long"
          {...typed('wanted')}
        />
        <PasswordField label="Confirm New Password" autoComplete="new-password" {...typed('confirmation')} />
        <Button
          type="submit"
          variant="contained"
          color="primary"
          disabled={!filled}
          loading={change.isPending}
        >
          Update Password
        </Button>
      </SettingForm>
    </SettingCard>
  );
}
