import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import { ActionDialog } from '../../../ui/ActionDialog';
import { Icon } from '../../../ui/Icon';
import { TextField } from '../../../ui/TextField';
import { type Webhook, type WebhookEntered, changeFailedText } from './webhooks';
import { eventTypeText } from './webhookTexts';

/** The same as on the server. */
const maxUrlLength = 500;
const maxDescriptionLength = 200;

/** Asks where messages go, and what they tell of. */
export function WebhookDialog<Answer>({
  webhook,
  eventTypes,
  save,
  onClose,
  onSaved,
}: {
  /** None for a new one. */
  webhook?: Webhook;
  /** What can be chosen. */
  eventTypes: readonly string[];
  save: (entered: WebhookEntered) => Promise<Answer>;
  onClose: () => void;
  onSaved: (answer: Answer) => void;
}) {
  const [url, setUrl] = useState(webhook?.url ?? 'https://');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [chosen, setChosen] = useState<readonly string[]>(webhook?.event_types ?? []);
  const [asked, setAsked] = useState(false);
  const saving = useMutation({ mutationFn: save, onSuccess: onSaved });
  const urlError = /^https?:\/\/.+/i.test(url.trim())
    ? undefined
    : t`Please enter an address that begins with https://`;
  const typesError = chosen.length === 0 ? t`Please choose at least one event` : undefined;
  return (
    <ActionDialog
      title={webhook === undefined ? t`Add webhook` : t`Edit webhook`}
      text={t`Messages are sent to this address by POST, as JSON, and signed.`}
      action={webhook === undefined ? t`Add webhook` : t`Save`}
      busy={saving.isPending}
      failure={saving.isError ? errorMessage(saving.error, changeFailedText()) : null}
      onClose={onClose}
      onSubmit={() => {
        setAsked(true);
        if (urlError !== undefined || typesError !== undefined) return;
        saving.mutate({
          url: url.trim(),
          description: description.trim(),
          event_types: eventTypes.filter((type) => chosen.includes(type)),
        });
      }}
    >
      <TextField
        label={t`Address`}
        type="url"
        error={asked ? urlError : undefined}
        autoFocus
        value={url}
        inputProps={{ maxLength: maxUrlLength, dir: 'ltr' }}
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextField
        label={t`Description`}
        helperText={t`What it is for, such as the team’s chat. May be left empty.`}
        value={description}
        inputProps={{ maxLength: maxDescriptionLength }}
        onChange={(event) => setDescription(event.target.value)}
      />
      <EventTypes
        types={eventTypes}
        chosen={chosen}
        error={asked ? typesError : undefined}
        onChange={setChosen}
      />
    </ActionDialog>
  );
}

function EventTypes({
  types,
  chosen,
  error,
  onChange,
}: {
  types: readonly string[];
  chosen: readonly string[];
  error: string | undefined;
  onChange: (chosen: readonly string[]) => void;
}) {
  const errorId = useId();
  return (
    <Box
      component="fieldset"
      {...(error !== undefined && { 'aria-describedby': errorId })}
      sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}
    >
      <Box component="legend" sx={{ p: 0, mb: 1, fontSize: 14, fontWeight: 600 }}>
        {t`Tell when`}
      </Box>
      {types.map((type) => (
        <FormControlLabel
          key={type}
          sx={{ display: 'flex' }}
          control={
            <Checkbox
              checked={chosen.includes(type)}
              onChange={(_, on) =>
                onChange(on ? [...chosen, type] : chosen.filter((other) => other !== type))
              }
            />
          }
          label={eventTypeText(type)}
        />
      ))}
      {error !== undefined && (
        <FormHelperText id={errorId} error role="alert">
          <Icon name="alert" size={16} />
          {error}
        </FormHelperText>
      )}
    </Box>
  );
}
