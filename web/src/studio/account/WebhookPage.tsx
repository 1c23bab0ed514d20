import { t } from '@lingui/core/macro';
import { WebhookScreen } from '../shared/webhooks/WebhookScreen';
import { ownWebhooks } from './webhooks';

/** One webhook of the photographer’s account. */
export default function WebhookPage() {
  return <WebhookScreen source={ownWebhooks} back={t`Profile Settings`} />;
}
