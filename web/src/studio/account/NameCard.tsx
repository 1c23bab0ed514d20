import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { TextField } from '../../ui/TextField';
import { changeErrorMessage, updateName } from './account';
import { SettingCard, SettingForm, useSavedMessage } from './SettingCard';

export function NameCard({ name, onSaved }: { name: string; onSaved: (user: User) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const [saved, setSaved] = useSavedMessage();
  const change = useMutation({
    mutationFn: updateName,
    onSuccess: ({ user }) => {
      onSaved(user);
      setTyped(null);
      setSaved(t`Name updated successfully!`);
    },
  });
  const toggle = () => {
    change.reset();
    setTyped(typed === null ? name : null);
  };
  const empty = (typed ?? '').trim() === '';
  return (
    <SettingCard
      title={t`Name`}
      value={name}
      toggleLabel={t`Change Name`}
      editing={typed !== null}
      saved={saved}
      onToggle={toggle}
    >
      <SettingForm
        onSubmit={() => {
          if (!empty) change.mutate((typed ?? '').trim());
        }}
      >
        {change.isError && (
          <Alert tone="error">{changeErrorMessage(change.error, t`Failed to update name`)}</Alert>
        )}
        <TextField
          label={t`New name`}
          autoComplete="name"
          autoFocus
          value={typed ?? ''}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" variant="contained" color="primary" disabled={empty} loading={change.isPending}>
          {t`Update Name`}
        </Button>
      </SettingForm>
    </SettingCard>
  );
}
