import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import { CurrentPasswordField } from '../accounts/CurrentPasswordField';
import { TextField } from '../../../ui/TextField';
import { addPasskey } from './secondFactors';
import { Form, RecoveryCodes } from './SecondFactorSetup';

const maxNameLength = 100;

/** Adds a passkey: asks for a name and the password, then the browser for the passkey, and shows the recovery codes, once. */
export function PasskeySetup({
  onAdded,
  onDone,
}: {
  /** It is added, and the recovery codes are shown. */
  onAdded?: () => void;
  onDone: () => void;
}) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: ({ recovery_codes }) => {
      if (recovery_codes.length === 0) onDone();
      else onAdded?.();
    },
  });
  if (add.data !== undefined && add.data.recovery_codes.length > 0)
    return <RecoveryCodes codes={add.data.recovery_codes} onDone={onDone} />;
  const nameError = name.trim() === '' ? t`Please give the passkey a name` : undefined;
  return (
    <Form
      failure={
        add.isError ? errorMessage(add.error, t`The passkey could not be added. Please try again.`) : null
      }
      action={t`Continue`}
      busy={add.isPending}
      onSubmit={() => {
        setAsked(true);
        if (nameError === undefined) add.mutate({ name: name.trim(), password });
      }}
    >
      <TextField
        label={t`Passkey name`}
        helperText={t`Such as my phone, or the key at the studio`}
        error={asked ? nameError : undefined}
        autoFocus
        value={name}
        inputProps={{ maxLength: maxNameLength }}
        onChange={(event) => setName(event.target.value)}
      />
      <CurrentPasswordField
        label={t`Current Password`}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </Form>
  );
}
