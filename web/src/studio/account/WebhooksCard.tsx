import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { StateChip } from '../../ui/StateChip';
import { WebhookDialog } from '../shared/webhooks/WebhookDialog';
import { WebhookSecretDialog } from '../shared/webhooks/WebhookSecretDialog';
import { webhookState } from '../shared/webhooks/webhookTexts';
import { webhooksFailedText, webhooksQuery } from '../shared/webhooks/webhooks';
import { ListRow } from './ListRow';
import { ownWebhooks } from './webhooks';

/** The account's webhooks: each has a screen of its own, and new ones are added. */
export function WebhooksCard() {
  const titleId = useId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const query = useQuery({ ...webhooksQuery(ownWebhooks), refetchInterval: false });
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const listed = query.data?.webhooks ?? [];
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ p: { xs: 4, sm: '24px 28px' } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 4 }}>
        <Typography variant="h3" component="h2" id={titleId} sx={{ flex: 1 }}>
          {t`Webhooks`}
        </Typography>
        {query.data !== undefined && (
          <Button variant="outlined" onClick={() => setAdding(true)}>
            {t`Add webhook`}
          </Button>
        )}
      </Box>
      <Typography color="textSecondary" sx={{ mt: 1 }}>
        {t`With a webhook another program is told what happens in your events.`}
      </Typography>
      {query.isError && (
        <Box sx={{ mt: 4 }}>
          <Alert tone="error">{errorMessage(query.error, webhooksFailedText())}</Alert>
        </Box>
      )}
      {query.isPending && (
        <Typography variant="body2" color="textSecondary" role="status" sx={{ mt: 4 }}>
          {t`Loading...`}
        </Typography>
      )}
      {listed.length > 0 && (
        <Box component="ul" aria-labelledby={titleId} sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {listed.map((webhook) => (
            <ListRow
              key={webhook.id}
              name={webhook.description || new URL(webhook.url).host}
              beside={<StateChip {...webhookState(webhook)} />}
              action={{
                label: t({ context: 'webhook', message: 'Open' }),
                onClick: () => void navigate(ownWebhooks.address(webhook.id)),
              }}
            >
              <Typography variant="body2" color="textSecondary" dir="ltr">
                {webhook.url}
              </Typography>
            </ListRow>
          ))}
        </Box>
      )}
      {adding && (
        <WebhookDialog
          eventTypes={query.data?.event_types ?? []}
          save={ownWebhooks.add}
          onClose={() => setAdding(false)}
          onSaved={(added) => {
            setAdding(false);
            setSecret(added.secret);
            void queries.invalidateQueries({ queryKey: ownWebhooks.key });
          }}
        />
      )}
      {secret !== undefined && (
        <WebhookSecretDialog secret={secret} replaces={false} onClose={() => setSecret(undefined)} />
      )}
    </Card>
  );
}
