import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { Alert } from '../../../ui/Alert';
import { Icon } from '../../../ui/Icon';
import { Page, PageHeader } from '../../../ui/Page';
import { LoadFailed } from '../../../ui/ScreenState';
import { StateChip } from '../../../ui/StateChip';
import { WebhookActions } from './WebhookActions';
import { WebhookDeliveries } from './WebhookDeliveries';
import { type Webhook, type WebhookSource, webhooksFailedText, webhooksQuery } from './webhooks';
import { webhookState } from './webhookTexts';

/** Why nothing is sent any more, unless somebody wanted so. */
function disabledText({ disabled }: Webhook): string | undefined {
  switch (disabled?.by) {
    case 'failures':
      return t`It was switched off because no message came through for five days. See that it answers, then switch it on.`;
    case 'gone':
      return t`It was switched off because it answered that it is gone (HTTP 410).`;
    default:
      return undefined;
  }
}

/** One webhook: what can be done with it, and its last messages. `back` names the screen that lists them. */
export function WebhookScreen({ source, back }: { source: WebhookSource; back: string }) {
  const { id = '' } = useParams();
  const query = useQuery(webhooksQuery(source));
  const webhook = query.data?.webhooks.find((each) => each.id === id);
  const disabled = webhook === undefined ? undefined : disabledText(webhook);
  return (
    <Page>
      <Button
        component={Link}
        to={source.path}
        size="small"
        startIcon={<Icon name="arrowLeft" size={16} />}
        sx={{ ml: '-12px', mb: 2 }}
      >
        {back}
      </Button>
      <PageHeader
        title={webhook === undefined ? t`Webhook` : webhook.description || new URL(webhook.url).host}
        {...(webhook !== undefined && {
          subtitle: (
            <Box component="span" dir="ltr" sx={{ overflowWrap: 'anywhere' }}>
              {webhook.url}
            </Box>
          ),
          titleAdornment: <StateChip {...webhookState(webhook)} />,
        })}
      />
      {query.isError && (
        <LoadFailed
          error={query.error}
          fallback={webhooksFailedText()}
          asking={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isPending && (
        <Box role="status" aria-busy="true" aria-label={t`Loading the webhook`}>
          <Skeleton height={280} sx={{ borderRadius: '16px' }} />
        </Box>
      )}
      {query.data !== undefined && webhook === undefined && (
        <Alert tone="error">{t`There is no such webhook. It may have been deleted.`}</Alert>
      )}
      {webhook !== undefined && (
        <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
          {disabled !== undefined && <Alert tone="error">{disabled}</Alert>}
          <WebhookActions source={source} webhook={webhook} eventTypes={query.data?.event_types ?? []} />
          <WebhookDeliveries source={source} id={id} />
        </Box>
      )}
    </Page>
  );
}
