import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useId, useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import type { Event } from '../../../platform/api/types';
import { Alert } from '../../../ui/Alert';
import { expiryText, hasExpired } from '../../shared/security/expiry';
import { Icon } from '../../../ui/Icon';
import { LifetimeChoice, daysOf, usualLifetime } from '../../shared/security/LifetimeChoice';
import { CurrentPasswordField } from '../../shared/accounts/CurrentPasswordField';
import { ProgressBar } from '../../../ui/ProgressBar';
import { useCopyToClipboard } from '../../../ui/useCopyToClipboard';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';
import {
  type FtpAccess,
  type FtpLogin,
  type FtpService,
  ftpAccessQuery,
  removeFtpLogin,
  replaceFtpLogin,
} from './ftpAccess';

/** A value that is typed into a camera, or copied into a program. */
function Row({ label, value, copy }: { label: string; value: string; copy: string }) {
  const { copy: write, copied, failed } = useCopyToClipboard(value);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, minHeight: 48 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="caption" component="dt" color="textSecondary">
          {label}
        </Typography>
        <Box
          component="dd"
          dir="ltr"
          sx={{ m: 0, fontFamily: 'monospace', fontSize: 16, overflowWrap: 'anywhere', userSelect: 'all' }}
        >
          {value}
        </Box>
      </Box>
      <IconButton
        aria-label={copy}
        onClick={write}
        sx={(theme) => ({ color: copied ? theme.vars.palette.success.main : undefined })}
      >
        <Icon name={copied ? 'check' : 'copy'} />
      </IconButton>
      <VisuallyHidden role="status">
        {copied ? t`Copied` : failed ? t`It could not be copied.` : ''}
      </VisuallyHidden>
    </Box>
  );
}

function encryptionText({ encryption }: FtpService): string {
  switch (encryption) {
    case 'required':
      return t`Choose FTPS (explicit TLS) and passive mode in the camera.`;
    case 'offered':
      return t`Choose passive mode in the camera, and FTPS (explicit TLS) if it can do that. Without it anybody on the way can read the password and the photos.`;
    case 'none':
      return t`Choose FTP and passive mode in the camera. Nothing is encrypted: anybody on the way can read the password and the photos.`;
  }
}

function lastUseText({ last_used_at }: FtpLogin): string {
  if (last_used_at == null) return t`Never used`;
  const time = i18n.date(new Date(last_used_at), { dateStyle: 'medium', timeStyle: 'short' });
  return t`Last used ${{ time }}`;
}

function Login({
  service,
  login,
  password,
}: {
  service: FtpService;
  login: FtpLogin;
  password: string | undefined;
}) {
  return (
    <>
      <Box
        component="dl"
        sx={{ m: 0, mt: 4, p: '10px 12px 10px 18px', borderRadius: '14px', backgroundColor: 'sunken' }}
      >
        <Row label={t`Host`} value={service.host} copy={t`Copy host`} />
        <Row label={t`Port`} value={String(service.port)} copy={t`Copy port`} />
        <Row label={t`User name`} value={login.user_name} copy={t`Copy user name`} />
        {password !== undefined && <Row label={t`Password`} value={password} copy={t`Copy password`} />}
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 3 }}>
        {password === undefined
          ? t`The password was shown once. With a new one the user name changes as well, and cameras with the old ones are refused.`
          : t`The password is not shown again. Enter it in the camera now.`}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {lastUseText(login)}
      </Typography>
      <Typography variant="body2" color={hasExpired(login) ? 'error' : 'textSecondary'}>
        {expiryText(login)}
      </Typography>
    </>
  );
}

/** What a camera needs to send photos to an event over FTP: made, replaced and taken away here. */
export function CameraDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const titleId = useId();
  const queries = useQueryClient();
  const formId = useId();
  const [asking, setAsking] = useState(false);
  const [password, setPassword] = useState('');
  const [lifetime, setLifetime] = useState(usualLifetime);
  const query = ftpAccessQuery(event.id);
  const access = useQuery(query);
  const keep = (change: Partial<FtpAccess>) =>
    queries.setQueryData(query.queryKey, (known) => known && { ...known, ...change });
  const removing = useMutation({
    mutationFn: () => removeFtpLogin(event.id),
    onSuccess: () => keep({ login: null }),
  });
  const making = useMutation({
    mutationFn: () => replaceFtpLogin(event.id, { password, lifetime_days: daysOf(lifetime) }),
    onSuccess: ({ service, login }) => {
      setAsking(false);
      setPassword('');
      keep({ service, login });
    },
  });
  const busy = making.isPending || removing.isPending;
  const failure = making.error ?? removing.error;
  const { service = null, login = null } = access.data ?? {};
  const make = () => {
    removing.reset();
    making.mutate();
  };
  const remove = () => {
    making.reset();
    removing.mutate();
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{t`Camera (FTP)`}</DialogTitle>
      <DialogContent aria-busy={access.isPending}>
        {access.isPending && <ProgressBar label={t`Loading...`} />}
        {access.isError && (
          <Alert tone="error">
            {errorMessage(access.error, t`The settings for cameras could not be loaded.`)}
          </Alert>
        )}
        {access.isSuccess && service === null && (
          <Typography color="textSecondary" sx={{ mt: 2 }}>
            {t`This service takes no photos over FTP. Its operator can switch that on in the settings.`}
          </Typography>
        )}
        {service !== null && (
          <Typography color="textSecondary" component="div" sx={{ mt: 2, display: 'grid', gap: 2 }}>
            <span>{t`A camera, or a program beside it, can send photos straight to this event. Each costs a credit, as any upload does.`}</span>
            <span>{encryptionText(service)}</span>
          </Typography>
        )}
        {service !== null && login !== null && (
          <Login service={service} login={login} password={making.data?.password} />
        )}
        {asking && (
          <Box
            component="form"
            id={formId}
            noValidate
            onSubmit={(submitted: SubmitEvent) => {
              submitted.preventDefault();
              if (!busy) make();
            }}
            sx={{ display: 'grid', gap: 4, mt: 4 }}
          >
            <LifetimeChoice value={lifetime} endless={t`Until it is switched off`} onChange={setLifetime} />
            <CurrentPasswordField
              label={t`Current Password`}
              autoFocus
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          </Box>
        )}
        {failure !== null && (
          <Box sx={{ mt: 4 }}>
            <Alert tone="error">
              {errorMessage(failure, t`The setting could not be saved. Please try again.`)}
            </Alert>
          </Box>
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        {login !== null && (
          <Button color="error" disabled={busy} loading={removing.isPending} onClick={remove}>
            {t`Switch off`}
          </Button>
        )}
        {access.isSuccess && service !== null && !asking && (
          <Button
            variant={login === null ? 'contained' : 'outlined'}
            disabled={busy}
            onClick={() => setAsking(true)}
          >
            {login === null ? t`Switch on` : t`New password`}
          </Button>
        )}
        {asking && (
          <Button type="submit" form={formId} variant="contained" disabled={busy} loading={making.isPending}>
            {login === null ? t`Switch on` : t`New password`}
          </Button>
        )}
        <Button onClick={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  );
}
