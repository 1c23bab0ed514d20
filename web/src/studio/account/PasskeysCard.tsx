import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { components } from '../../platform/api/schema.gen';
import { ActionDialog } from '../../ui/ActionDialog';
import { Alert } from '../../ui/Alert';
import { CurrentPasswordField } from '../shared/accounts/CurrentPasswordField';
import { passkeysQuery, removePasskey, secondFactorQuery } from '../shared/security/secondFactors';
import { PasskeySetup } from '../shared/security/PasskeySetup';
import { canUsePasskeys } from '../shared/security/webauthn';
import { sessionsQuery } from './account';
import { ListRow } from './ListRow';

type Passkey = components['schemas']['PasskeyBody'];

/** How many an account has at most. */
const most = 10;

const formatMoment = (at: string) => i18n.date(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });

/** The account's passkeys: each can be removed, and new ones are added where this address and browser can have any. */
export function PasskeysCard() {
  const titleId = useId();
  const queries = useQueryClient();
  const passkeys = useQuery(passkeysQuery());
  const [adding, setAdding] = useState(false);
  const [showsCodes, setShowsCodes] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const readAgain = () => {
    for (const { queryKey } of [passkeysQuery(), secondFactorQuery(), sessionsQuery()])
      void queries.invalidateQueries({ queryKey });
  };
  const finish = () => {
    setAdding(false);
    setShowsCodes(false);
    readAgain();
  };
  const listed = passkeys.data?.passkeys ?? [];
  const isAvailable = passkeys.data?.available === true;
  // Nothing is said of what cannot be had here and is not there.
  if (passkeys.isSuccess && !isAvailable && listed.length === 0) return null;
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ p: { xs: 4, sm: '24px 28px' } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 4 }}>
        <Typography variant="h3" component="h2" id={titleId} sx={{ flex: 1 }}>
          {t`Passkeys`}
        </Typography>
        {isAvailable && canUsePasskeys() && !showsCodes && (adding || listed.length < most) && (
          <Button
            variant={adding ? 'text' : 'outlined'}
            aria-expanded={adding}
            onClick={() => setAdding(!adding)}
          >
            {adding ? t`Cancel` : t`Add a passkey`}
          </Button>
        )}
      </Box>
      <Typography color="textSecondary" sx={{ mt: 1 }}>
        {t`The lock of your phone or computer, or a security key, as the second step of your login. No other page can use it.`}
      </Typography>
      {isAvailable && !canUsePasskeys() && (
        <Typography color="textSecondary" sx={{ mt: 1 }}>
          {t`This browser cannot use passkeys.`}
        </Typography>
      )}
      {passkeys.isError && (
        <Box sx={{ mt: 4 }}>
          <Alert tone="error">{errorMessage(passkeys.error, t`The passkeys could not be loaded.`)}</Alert>
        </Box>
      )}
      {passkeys.isPending && (
        <Typography variant="body2" color="textSecondary" role="status" sx={{ mt: 4 }}>
          {t`Loading...`}
        </Typography>
      )}
      {adding && (
        <PasskeySetup
          onAdded={() => {
            setShowsCodes(true);
            readAgain();
          }}
          onDone={finish}
        />
      )}
      {listed.length > 0 && (
        <Box component="ul" aria-labelledby={titleId} sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {listed.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
          ))}
        </Box>
      )}
      {removing !== null && (
        <Removal
          passkey={removing}
          onClose={() => setRemoving(null)}
          onDone={() => {
            setRemoving(null);
            readAgain();
          }}
        />
      )}
    </Card>
  );
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const added = i18n.date(new Date(passkey.created_at), { dateStyle: 'medium' });
  return (
    <ListRow name={passkey.name} action={{ label: t`Remove`, color: 'error', onClick: onRemove }}>
      <Typography variant="body2" color="textSecondary">
        {t`Added ${{ day: added }}`}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {passkey.last_used_at == null
          ? t`Never used`
          : t`Last used ${{ time: formatMoment(passkey.last_used_at) }}`}
      </Typography>
    </ListRow>
  );
}

function Removal({
  passkey,
  onClose,
  onDone,
}: {
  passkey: Passkey;
  onClose: () => void;
  onDone: () => void;
}) {
  const [password, setPassword] = useState('');
  const remove = useMutation({ mutationFn: removePasskey, onSuccess: onDone });
  return (
    <ActionDialog
      title={t`Remove ${{ name: passkey.name }}?`}
      text={t`It opens your account no more. Without any passkey and authenticator app your password alone is enough to log in.`}
      action={t`Remove passkey`}
      danger
      busy={remove.isPending}
      failure={
        remove.isError
          ? errorMessage(remove.error, t`The passkey could not be removed. Please try again.`)
          : null
      }
      onClose={onClose}
      onSubmit={() => remove.mutate({ id: passkey.id, password })}
    >
      <CurrentPasswordField
        label={t`Current Password`}
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </ActionDialog>
  );
}
