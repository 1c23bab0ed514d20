import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { CurrentPasswordField } from '../shared/accounts/CurrentPasswordField';
import { useLogins } from '../shared/accounts/logins';
import { clearSession } from '../../platform/storage/storage';
import { deleteAccount } from './account';

/** Deletes the account after asking for the password. */
export function DeleteAccount() {
  const navigate = useNavigate();
  const { passwords } = useLogins();
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const deletion = useMutation({
    mutationFn: deleteAccount,
    onSuccess: () => {
      clearSession();
      void navigate('/');
    },
  });
  const isReady = password !== '' || !passwords;
  const close = () => {
    setOpen(false);
    setPassword('');
    deletion.reset();
  };
  return (
    <Box sx={{ mt: 8, textAlign: 'center' }}>
      <Button color="error" onClick={() => setOpen(true)}>
        {t`Delete account`}
      </Button>
      <Dialog open={open} onClose={close} aria-labelledby="delete-account-title">
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) deletion.mutate(password);
          }}
        >
          <DialogTitle id="delete-account-title">{t`Delete your account?`}</DialogTitle>
          <DialogContent sx={{ display: 'grid', gap: 4, pt: 2 }}>
            <Typography color="textSecondary">
              {t`Every event, photo and face of it goes for good. Credits that are left are lost.`}
            </Typography>
            {deletion.isError && (
              <Alert tone="error">
                {errorMessage(deletion.error, t`Failed to delete the account. Please try again.`)}
              </Alert>
            )}
            <CurrentPasswordField
              label={t`Password`}
              autoFocus
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </DialogContent>
          <DialogActions>
            <Button onClick={close}>{t`Cancel`}</Button>
            <Button
              type="submit"
              variant="contained"
              color="danger"
              disabled={!isReady}
              loading={deletion.isPending}
            >
              {t`Delete account`}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </Box>
  );
}
