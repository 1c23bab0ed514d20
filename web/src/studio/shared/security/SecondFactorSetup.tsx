import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import { Alert } from '../../../ui/Alert';
import { CurrentPasswordField } from '../accounts/CurrentPasswordField';
import { useCopyToClipboard } from '../../../ui/useCopyToClipboard';
import { drawQrCode } from '../events/qrCode';
import { beginSecondFactor, confirmSecondFactor } from './secondFactors';
import { CodeField } from './CodeField';

const qrWidth = 200;

/** Sets two-step login up: asks for the password, shows the key of an authenticator app, and then the recovery codes, once. */
export function SecondFactorSetup({
  onTurnedOn,
  onDone,
}: {
  /** It is on, and the recovery codes are shown. */
  onTurnedOn?: () => void;
  onDone: () => void;
}) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useMutation({ mutationFn: beginSecondFactor });
  const confirm = useMutation({
    mutationFn: confirmSecondFactor,
    onSuccess: ({ recovery_codes }) => {
      // Beside passkeys there are some already.
      if (recovery_codes.length === 0) onDone();
      else onTurnedOn?.();
    },
  });
  if (confirm.data !== undefined && confirm.data.recovery_codes.length > 0)
    return <RecoveryCodes codes={confirm.data.recovery_codes} onDone={onDone} />;
  if (begin.data !== undefined)
    return (
      <Form
        failure={
          confirm.isError
            ? errorMessage(confirm.error, t`Two-step login could not be set up. Please try again.`)
            : null
        }
        action={t`Turn on`}
        busy={confirm.isPending}
        onSubmit={() => confirm.mutate(code)}
      >
        <Typography>
          {t`Scan this with an authenticator app on your phone, or enter the key there. Then enter the code that it shows.`}
        </Typography>
        <AppKey secret={begin.data.secret} uri={begin.data.uri} />
        <CodeField appOnly autoFocus value={code} onChange={setCode} />
      </Form>
    );
  return (
    <Form
      failure={
        begin.isError
          ? errorMessage(begin.error, t`Two-step login could not be set up. Please try again.`)
          : null
      }
      action={t`Continue`}
      busy={begin.isPending}
      onSubmit={() => begin.mutate(password)}
    >
      <CurrentPasswordField
        label={t`Current Password`}
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </Form>
  );
}

/** A form with one button, and what stood in its way. */
export function Form({
  failure,
  action,
  busy,
  onSubmit,
  children,
}: {
  failure: string | null;
  action: string;
  busy: boolean;
  onSubmit: () => void;
  children: ReactNode;
}) {
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSubmit();
      }}
      sx={{ display: 'grid', gap: 4.5, mt: 5, justifyItems: 'start', '& > div': { width: '100%' } }}
    >
      {failure !== null && <Alert tone="error">{failure}</Alert>}
      {children}
      <Button type="submit" variant="contained" color="primary" loading={busy}>
        {action}
      </Button>
    </Box>
  );
}

function AppKey({ secret, uri }: { secret: string; uri: string }) {
  const drawn = useQuery({
    queryKey: ['app-key', uri],
    queryFn: () => drawQrCode(uri, qrWidth),
    staleTime: Infinity,
    // The key is nothing to keep.
    gcTime: 0,
  });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 4, alignItems: 'center' }}>
      {!drawn.isError && (
        <Box
          sx={{ p: 3, borderRadius: '14px', border: 1, borderColor: 'divider', backgroundColor: '#FFFFFF' }}
        >
          {drawn.data === undefined ? (
            <Skeleton width={qrWidth} height={qrWidth} />
          ) : (
            <Box
              component="img"
              src={drawn.data}
              alt={t`QR code for an authenticator app`}
              width={qrWidth}
              height={qrWidth}
              sx={{ display: 'block' }}
            />
          )}
        </Box>
      )}
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="caption" component="p" color="textSecondary">
          {t`Key`}
        </Typography>
        <Box
          component="code"
          dir="ltr"
          sx={{ fontFamily: 'monospace', fontSize: 16, overflowWrap: 'anywhere', userSelect: 'all' }}
        >
          {secret.replace(/(.{4})(?=.)/g, '$1 ')}
        </Box>
      </Box>
    </Box>
  );
}

/** Shows the recovery codes, once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { copy, copied, failed } = useCopyToClipboard(codes.join('\n'));
  return (
    <Box sx={{ display: 'grid', gap: 4, mt: 5, justifyItems: 'start' }}>
      <Typography variant="h3" component="h3">
        {t`Your recovery codes`}
      </Typography>
      <Typography>
        {t`Keep them where you find them without your phone. Each takes the place of a code or a passkey once. They are not shown again.`}
      </Typography>
      <Box
        component="ul"
        aria-label={t`Your recovery codes`}
        dir="ltr"
        sx={{
          listStyle: 'none',
          m: 0,
          p: '14px 18px',
          width: '100%',
          borderRadius: '14px',
          backgroundColor: 'sunken',
          fontFamily: 'monospace',
          fontSize: 16,
          display: 'grid',
          gap: 1,
          gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))',
        }}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Typography variant="subtitle2" component="p" role="status" color={failed ? 'error' : 'success'}>
        {copied ? t`Copied` : failed ? t`It could not be copied.` : ''}
      </Typography>
      <Box sx={{ display: 'flex', gap: 3 }}>
        <Button variant="outlined" onClick={copy}>
          {t`Copy`}
        </Button>
        <Button variant="contained" color="primary" onClick={onDone}>
          {t`Done`}
        </Button>
      </Box>
    </Box>
  );
}
