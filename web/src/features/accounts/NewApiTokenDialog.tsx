import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { errorMessage } from '../../shared/api/errors';
import { ActionDialog } from '../../shared/components/ActionDialog';
import { Icon } from '../../shared/components/Icon';
import { TextField } from '../../shared/components/TextField';
import { useCopyToClipboard } from '../../shared/components/useCopyToClipboard';
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
  const titleId = useId();
  const { copy, copied, failed } = useCopyToClipboard(text);
  return (
    // Not closed by a click beside it: the token is not shown again.
    <Dialog open aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t`Your new API token`}</DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mt: 2 }}>
          {t`Copy it now: it is not shown again. Whoever has it can act for you, so keep it like a password.`}
        </Typography>
        <Box
          component="code"
          dir="ltr"
          sx={{
            display: 'block',
            mt: 4,
            p: '14px 18px',
            borderRadius: '14px',
            backgroundColor: 'sunken',
            fontFamily: 'monospace',
            overflowWrap: 'anywhere',
            userSelect: 'all',
          }}
        >
          {text}
        </Box>
        <Typography
          variant="subtitle2"
          component="p"
          role="status"
          sx={{ mt: 1.5, minHeight: 20, color: failed ? 'error.main' : 'success.main' }}
        >
          {copied && t`Token copied to clipboard!`}
          {failed && t`The token could not be copied. Please select it and copy it yourself.`}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t`Done`}</Button>
        <Button
          variant="contained"
          color="ink"
          autoFocus
          onClick={copy}
          startIcon={<Icon name={copied ? 'check' : 'copy'} />}
        >
          {copied ? t`Copied` : t`Copy`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
