import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { errorMessage } from '../../../platform/api/errors';
import { ActionDialog } from '../../../ui/ActionDialog';
import { useSnackbar } from '../../../ui/useSnackbar';
import { ActionRow } from '../../../ui/ActionRow';
import { Panel } from '../../../ui/Panel';
import { WebhookDialog } from './WebhookDialog';
import { WebhookSecretDialog } from './WebhookSecretDialog';
import { type Webhook, type WebhookSource, changeFailedText } from './webhooks';
import { eventTypeText } from './webhookTexts';

interface DialogProps {
  source: WebhookSource;
  webhook: Webhook;
  onClose: () => void;
  onDone: () => void;
}

function SwitchOffDialog({ source, webhook, onClose, onDone }: DialogProps) {
  const off = useMutation({ mutationFn: () => source.turn(webhook.id, false), onSuccess: onDone });
  return (
    <ActionDialog
      title={t`Switch the webhook off?`}
      text={t`Messages that wait are dropped, and what happens until it is on again is not told.`}
      action={t`Switch off`}
      danger
      busy={off.isPending}
      failure={off.isError ? errorMessage(off.error, changeFailedText()) : null}
      onClose={onClose}
      onSubmit={() => off.mutate()}
    />
  );
}

function DeleteDialog({ source, webhook, onClose, onDone }: DialogProps) {
  const remove = useMutation({ mutationFn: () => source.remove(webhook.id), onSuccess: onDone });
  return (
    <ActionDialog
      title={t`Delete the webhook?`}
      text={t`Its messages are deleted too. This cannot be undone.`}
      action={t`Delete webhook`}
      danger
      busy={remove.isPending}
      failure={remove.isError ? errorMessage(remove.error, changeFailedText()) : null}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
    />
  );
}

function RotateDialog({
  source,
  webhook,
  onClose,
  onDone,
}: {
  source: WebhookSource;
  webhook: Webhook;
  onClose: () => void;
  onDone: (secret: string) => void;
}) {
  const rotate = useMutation({
    mutationFn: () => source.rotate(webhook.id),
    onSuccess: ({ secret }) => onDone(secret),
  });
  return (
    <ActionDialog
      title={t`Make a new secret?`}
      text={t`Messages are signed with both secrets for a day, so that the receiver can be changed meanwhile. Then the former one is forgotten.`}
      action={t`Make a new secret`}
      busy={rotate.isPending}
      failure={rotate.isError ? errorMessage(rotate.error, changeFailedText()) : null}
      onClose={onClose}
      onSubmit={() => rotate.mutate()}
    />
  );
}

const formatMoment = (at: string) => i18n.date(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });

/** What can be done with a webhook by whoever looks after it. */
export function WebhookActions({
  source,
  webhook,
  eventTypes,
}: {
  source: WebhookSource;
  webhook: Webhook;
  eventTypes: readonly string[];
}) {
  const show = useSnackbar();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'off' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  const close = () => setDialog(undefined);
  const refresh = () => client.invalidateQueries({ queryKey: source.key });
  const done = (text: string) => {
    close();
    show({ tone: 'success', text });
    void refresh();
  };
  const onError = (error: unknown) => show({ tone: 'error', text: errorMessage(error, changeFailedText()) });
  const test = useMutation({
    mutationFn: () => source.test(webhook.id),
    onSuccess: () => done(t`A test is on its way. Its answer is in the list below.`),
    onError,
  });
  const on = useMutation({
    mutationFn: () => source.turn(webhook.id, true),
    onSuccess: () => done(t`The webhook is on.`),
    onError,
  });
  const isOn = webhook.disabled == null;
  return (
    <>
      <Panel title={t`What can be done`}>
        <ActionRow
          title={t`Tells when`}
          text={
            <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {webhook.event_types.map((type) => (
                <li key={type}>{eventTypeText(type)}</li>
              ))}
            </Box>
          }
        >
          <Button variant="outlined" onClick={() => setDialog('edit')}>
            {t({ context: 'webhook', message: 'Edit' })}
          </Button>
        </ActionRow>
        <ActionRow title={t`Test`} text={t`Sends one message, also while it is switched off.`}>
          <Button variant="outlined" loading={test.isPending} onClick={() => test.mutate()}>
            {t`Send a test`}
          </Button>
        </ActionRow>
        <ActionRow
          title={t`Secret`}
          text={
            webhook.former_secret_until == null
              ? t`The receiver verifies with it that messages are from here.`
              : t`The former secret signs too until ${{ time: formatMoment(webhook.former_secret_until) }}.`
          }
        >
          <Button variant="outlined" onClick={() => setDialog('rotate')}>
            {t`New secret`}
          </Button>
        </ActionRow>
        <ActionRow
          title={t({ context: 'webhook', message: 'On or off' })}
          text={isOn ? t`Messages are sent.` : t`Nothing is sent, and nothing is kept for later.`}
        >
          {isOn ? (
            <Button variant="outlined" onClick={() => setDialog('off')}>
              {t`Switch off`}
            </Button>
          ) : (
            <Button variant="outlined" loading={on.isPending} onClick={() => on.mutate()}>
              {t`Switch on`}
            </Button>
          )}
        </ActionRow>
        <ActionRow title={t`Delete`} text={t`The address is forgotten, with its messages.`}>
          <Button variant="outlined" color="error" onClick={() => setDialog('delete')}>
            {t`Delete webhook`}
          </Button>
        </ActionRow>
      </Panel>
      {dialog === 'edit' && (
        <WebhookDialog
          webhook={webhook}
          eventTypes={eventTypes}
          save={(entered) => source.change(webhook.id, entered)}
          onClose={close}
          onSaved={() => done(t`The webhook is saved.`)}
        />
      )}
      {dialog === 'rotate' && (
        <RotateDialog
          source={source}
          webhook={webhook}
          onClose={close}
          onDone={(made) => {
            close();
            setSecret(made);
            void refresh();
          }}
        />
      )}
      {dialog === 'off' && (
        <SwitchOffDialog
          source={source}
          webhook={webhook}
          onClose={close}
          onDone={() => done(t`The webhook is switched off.`)}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDialog
          source={source}
          webhook={webhook}
          onClose={close}
          onDone={() => {
            done(t`The webhook is deleted.`);
            void navigate(source.path);
          }}
        />
      )}
      {secret !== undefined && (
        <WebhookSecretDialog secret={secret} replaces onClose={() => setSecret(undefined)} />
      )}
    </>
  );
}
