import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { TextField } from '../../ui/TextField';
import { resendVerification } from './sessions';

/**
 * Asks for an address and resends its verification link.
 * With `email` it is only a button for that address; with `onCancel` it can be closed.
 */
export function ResendVerification({
  email,
  onCancel,
  onSent,
}: {
  email?: string;
  onCancel?: () => void;
  onSent?: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [empty, setEmpty] = useState(false);
  const resend = useMutation({ mutationFn: resendVerification, ...(onSent && { onSuccess: onSent }) });

  const submit = () => {
    const address = (email ?? typed).trim();
    setEmpty(address === '');
    if (address !== '') resend.mutate(address);
  };

  if (resend.isSuccess)
    return <Alert tone="success">{t`Verification email sent successfully! Please check your inbox.`}</Alert>;
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      {resend.isError && (
        <Alert tone="error">
          {errorMessage(resend.error, t`Failed to send verification email. Please try again.`)}
        </Alert>
      )}
      {email === undefined && (
        <TextField
          label={t`Email address`}
          type="email"
          autoComplete="email"
          autoFocus
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault();
              submit();
            }
          }}
          error={empty ? t`Please enter your email address.` : undefined}
        />
      )}
      <Box sx={{ display: 'flex', gap: 2 }}>
        <Button variant="outlined" disabled={resend.isPending} onClick={submit}>
          {resend.isPending ? t`Sending...` : t`Send Verification Email`}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>{t`Cancel`}</Button>}
      </Box>
    </Box>
  );
}
