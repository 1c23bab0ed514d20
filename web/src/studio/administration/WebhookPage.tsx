import { t } from '@lingui/core/macro';
import { WebhookScreen } from '../shared/webhooks/WebhookScreen';
import { serviceWebhooks } from './webhooks';

/** One webhook of the installation. */
export default function WebhookPage() {
  return <WebhookScreen source={serviceWebhooks} back={t`All webhooks`} />;
}
