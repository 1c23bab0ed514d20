import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../shared/api/types';
import { Alert } from '../../shared/components/Alert';
import { TextField } from '../../shared/components/TextField';
import { changeProblem, updateEmail } from './calls';
import { SettingCard, SettingForm, useSavedMessage } from './SettingCard';

/** An address that is broken, where it must be, after its @. */
function Address({ children }: { children: string }) {
  const domain = children.lastIndexOf('@') + 1;
  return (
    <>
      {children.slice(0, domain)}
      <wbr />
      {children.slice(domain)}
    </>
  );
}

const nothing = { email: '', confirmation: '' };

export function EmailCard({
  email,
  pending,
  onSaved,
}: {
  email: string;
  /** An address that waits for its verification. */
  pending: string | null;
  onSaved: (user: User) => void;
}) {
  const [editing, setEditing] = useState(false);
  const [form, setForm] = useState(nothing);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [saved, setSaved] = useSavedMessage();
  const change = useMutation({
    mutationFn: updateEmail,
    onSuccess: ({ user }, address) => {
      onSaved(user);
      setEditing(false);
      setForm(nothing);
      setSaved(`A verification link was sent to ${address}.`);
    },
  });
  const wanted = form.email.trim();
  const repeated = form.confirmation.trim();
  const differ = wanted !== repeated;

  const toggle = () => {
    change.reset();
    setForm(nothing);
    setRefusal(null);
    setEditing(!editing);
  };
  // The button is off while the two differ; the Enter key is not.
  const submit = () => {
    setRefusal(differ ? 'Email addresses do not match' : null);
    if (!differ && wanted !== '') change.mutate(wanted);
  };
  const problem = refusal ?? (change.isError ? changeProblem(change.error, 'Failed to update email') : null);
  return (
    <SettingCard
      title="Email"
      value={
        <>
          <Address>{email}</Address>
          {pending !== null && (
            <div>
              <Address>{pending}</Address> waits for its verification.
            </div>
          )}
        </>
      }
      toggle="Change Email"
      editing={editing}
      saved={saved}
      onToggle={toggle}
    >
      <SettingForm onSubmit={submit}>
        {problem !== null && <Alert tone="error">{problem}</Alert>}
        <TextField
          label="New email"
          type="email"
          autoComplete="email"
          autoFocus
          value={form.email}
          onChange={(event) => setForm({ ...form, email: event.target.value })}
        />
        <TextField
          label="Confirm email"
          type="email"
          autoComplete="email"
          value={form.confirmation}
          error={differ && repeated !== '' ? 'Emails do not match' : undefined}
          onChange={(event) => setForm({ ...form, confirmation: event.target.value })}
        />
        <Button
          type="submit"
          variant="contained"
          color="primary"
          disabled={wanted === '' || differ}
          loading={change.isPending}
        >
          Update Email
        </Button>
      </SettingForm>
    </SettingCard>
  );
}
