import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { Icon } from '../../ui/Icon';
import { Page, PageHeader } from '../../ui/Page';
import { RelativeTime } from '../../ui/RelativeTime';
import { LoadFailed, LoadingRows } from '../../ui/ScreenState';
import { StateChip } from '../../ui/StateChip';
import { WebhookDialog } from '../shared/webhooks/WebhookDialog';
import { WebhookSecretDialog } from '../shared/webhooks/WebhookSecretDialog';
import { answerText, eventTypeText, webhookState } from '../shared/webhooks/webhookTexts';
import { type Webhook, webhooksFailedText, webhooksQuery } from '../shared/webhooks/webhooks';
import { serviceWebhooks } from './webhooks';

const columns = (): Column<Webhook>[] => [
  {
    header: t`Address`,
    cell: ({ id, url, description }) => (
      <>
        <MuiLink component={Link} to={serviceWebhooks.address(id)} dir="ltr">
          {url}
        </MuiLink>
        {description !== '' && (
          <Typography variant="body2" component="div" color="textSecondary">
            {description}
          </Typography>
        )}
      </>
    ),
  },
  {
    header: t`Tells when`,
    wide: true,
    cell: ({ event_types }) => (
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, fontSize: 13 }}>
        {event_types.map((type) => (
          <li key={type}>{eventTypeText(type)}</li>
        ))}
      </Box>
    ),
  },
  { header: t`State`, cell: (webhook) => <StateChip {...webhookState(webhook)} /> },
  {
    header: t`Newest message`,
    end: true,
    empty: ({ newest }) => newest == null,
    cell: ({ newest }) =>
      newest == null ? (
        '–'
      ) : (
        <>
          {answerText(newest)}
          <Typography variant="caption" component="div" color="textDisabled">
            <RelativeTime time={newest.last_attempt?.at ?? newest.created_at} />
          </Typography>
        </>
      ),
  },
];

/** The addresses that are told what happens in the service. */
export default function WebhooksPage() {
  const client = useQueryClient();
  const query = useQuery(webhooksQuery(serviceWebhooks));
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const webhooks = query.data?.webhooks;
  return (
    <Page>
      <PageHeader title={t`Webhooks`} subtitle={t`Other programs are told what happens here.`}>
        {query.data !== undefined && (
          <Button
            variant="contained"
            color="primary"
            startIcon={<Icon name="plus" />}
            onClick={() => setAdding(true)}
          >
            {t`Add webhook`}
          </Button>
        )}
      </PageHeader>
      {query.isError && (
        <LoadFailed
          error={query.error}
          fallback={webhooksFailedText()}
          asking={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {(query.isPending || webhooks !== undefined) && (
        <Card sx={{ px: { xs: 4, md: 6 }, py: { xs: 2, md: 4 } }}>
          {query.isPending && <LoadingRows label={t`Loading the webhooks`} rows={3} />}
          {webhooks?.length === 0 && (
            <EmptyState
              title={t`No webhooks`}
              description={t`Add the address of a program that is to be told of events, photos, searches or payments.`}
            />
          )}
          {webhooks !== undefined && webhooks.length > 0 && (
            <DataTable label={t`Webhooks`} columns={columns()} rows={webhooks} rowKey={({ id }) => id} />
          )}
        </Card>
      )}
      {adding && (
        <WebhookDialog
          eventTypes={query.data?.event_types ?? []}
          save={serviceWebhooks.add}
          onClose={() => setAdding(false)}
          onSaved={(added) => {
            setAdding(false);
            setSecret(added.secret);
            void client.invalidateQueries({ queryKey: serviceWebhooks.key });
          }}
        />
      )}
      {secret !== undefined && (
        <WebhookSecretDialog secret={secret} replaces={false} onClose={() => setSecret(undefined)} />
      )}
    </Page>
  );
}
