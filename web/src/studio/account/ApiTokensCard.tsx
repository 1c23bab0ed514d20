import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { components } from '../../platform/api/schema.gen';
import { ActionDialog } from '../../ui/ActionDialog';
import { Alert } from '../../ui/Alert';
import { expiryText, hasExpired } from '../shared/security/expiry';
import { apiTokensQuery, revokeApiToken } from './account';
import { ListRow } from './ListRow';
import { NewApiTokenDialog } from './NewApiTokenDialog';

type ApiToken = components['schemas']['ApiTokenBody'];

const formatMoment = (at: string) => i18n.date(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });

/** The account's API tokens: each can be revoked, and new ones are made. */
export function ApiTokensCard() {
  const titleId = useId();
  const queries = useQueryClient();
  const tokens = useQuery(apiTokensQuery());
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: apiTokensQuery().queryKey });
  const revoke = useMutation({
    mutationFn: revokeApiToken,
    onSuccess: () => setRevoking(null),
    // What could not be revoked may be revoked already.
    onSettled: refresh,
  });
  const listed = tokens.data?.api_tokens ?? [];
  const close = () => {
    setRevoking(null);
    revoke.reset();
  };
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ p: { xs: 4, sm: '24px 28px' } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 4 }}>
        <Typography variant="h3" component="h2" id={titleId} sx={{ flex: 1 }}>
          {t`API tokens`}
        </Typography>
        <Button variant="outlined" onClick={() => setCreating(true)}>
          {t`New token`}
        </Button>
      </Box>
      <Typography color="textSecondary" sx={{ mt: 1 }}>
        {t`With a token a program uploads photos for you, without a browser.`}
      </Typography>
      {tokens.isError && (
        <Box sx={{ mt: 4 }}>
          <Alert tone="error">{errorMessage(tokens.error, t`The API tokens could not be loaded.`)}</Alert>
        </Box>
      )}
      {tokens.isPending && (
        <Typography variant="body2" color="textSecondary" role="status" sx={{ mt: 4 }}>
          {t`Loading...`}
        </Typography>
      )}
      {listed.length > 0 && (
        <Box component="ul" aria-labelledby={titleId} sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {listed.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
          ))}
        </Box>
      )}
      {creating && <NewApiTokenDialog onClose={() => setCreating(false)} onCreated={() => void refresh()} />}
      {revoking !== null && (
        <ActionDialog
          title={t`Revoke ${{ name: revoking.name }}?`}
          text={t`Programs that use this token are refused from now on. This cannot be undone.`}
          action={t`Revoke token`}
          danger
          busy={revoke.isPending}
          failure={
            revoke.isError
              ? errorMessage(revoke.error, t`The token could not be revoked. Please try again.`)
              : null
          }
          onClose={close}
          onSubmit={() => revoke.mutate(revoking.id)}
        />
      )}
    </Card>
  );
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const lastUse =
    token.last_used_at == null ? t`Never used` : t`Last used ${{ time: formatMoment(token.last_used_at) }}`;
  return (
    <ListRow
      name={token.name}
      beside={<Chip size="small" label={token.scope === 'all' ? t`Everything` : t`Uploads only`} />}
      action={{ label: t`Revoke`, color: 'error', onClick: onRevoke }}
    >
      <Typography variant="body2" color="textSecondary">
        {lastUse}
      </Typography>
      <Typography variant="body2" color={hasExpired(token) ? 'error' : 'textSecondary'}>
        {expiryText(token)}
      </Typography>
    </ListRow>
  );
}
