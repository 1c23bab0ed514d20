import { t } from '@lingui/core/macro';
import { SecretDialog } from '../../../ui/SecretDialog';

/** Shows the secret of a webhook, once. */
export function WebhookSecretDialog({
  secret,
  replaces,
  onClose,
}: {
  secret: string;
  /** Whether another one was there before. */
  replaces: boolean;
  onClose: () => void;
}) {
  return (
    <SecretDialog
      title={t`The webhook’s secret`}
      note={
        replaces
          ? t`Copy it now: it is not shown again. The receiver verifies messages with it. For a day they are signed with the former one too.`
          : t`Copy it now: it is not shown again. The receiver verifies messages with it.`
      }
      secret={secret}
      copiedText={t`Secret copied to clipboard!`}
      failedText={t`The secret could not be copied. Please select it and copy it yourself.`}
      onClose={onClose}
    />
  );
}
