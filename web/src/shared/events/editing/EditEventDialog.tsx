import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { errorMessage } from '../../api/errors';
import { sameOrigin } from '../../api/links';
import type { Event } from '../../api/types';
import { Alert } from '../../components/Alert';
import { ProgressBar } from '../../components/ProgressBar';
import { TextField } from '../../components/TextField';
import { useSnackbar } from '../../components/useSnackbar';
import { formatShortDate } from '../../formats';
import { eventPinQuery } from '../eventPin';
import { type EventChanges, useChangeEvent } from './changeEvent';
import { BrowsingField } from './BrowsingField';
import { DownloadsField } from './DownloadsField';
import { eventDateRange, eventFields } from './eventFields';

const millisecondsPerDay = 86_400_000;
/** Days from now to the first day on which photos can be removed: the server warns of it a week before. */
const notice = 8;

const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

const fieldsOf = (event: Event, pin: string | null) => ({
  name: event.name,
  date: event.date,
  description: event.description ?? '',
  time_zone: event.time_zone,
  expires_on: event.expires_on ?? '',
  pin: pin ?? '',
  downloads: event.downloads,
  browsable: event.browsable,
});

type Fields = ReturnType<typeof fieldsOf>;

/** Only what differs: what somebody else changes at the same time stays. */
function changesOf(before: Fields, after: Fields, withoutCover: boolean): EventChanges {
  const changes: EventChanges = {};
  if (after.name !== before.name) changes.name = after.name;
  if (after.date !== before.date) changes.date = after.date;
  if (after.description !== before.description) changes.description = after.description || null;
  if (after.time_zone !== before.time_zone) changes.time_zone = after.time_zone;
  if (after.expires_on !== before.expires_on) changes.expires_on = after.expires_on || null;
  if (after.pin !== before.pin) changes.pin = after.pin || null;
  if (after.downloads !== before.downloads) changes.downloads = after.downloads;
  if (after.browsable !== before.browsable) changes.browsable = after.browsable;
  if (withoutCover) changes.cover_photo_id = null;
  return changes;
}

function Cover({ url, onRemove }: { url: string | null; onRemove: () => void }) {
  if (url === null) {
    return (
      <Typography variant="body2" color="textSecondary">
        {t`Its cover is the drawn sky. To show a photo, open it in the gallery and choose “Use as cover”.`}
      </Typography>
    );
  }
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 4 }}>
      <Box
        component="img"
        src={sameOrigin(url)}
        alt={t`The cover`}
        sx={{ width: 120, height: 80, objectFit: 'cover', objectPosition: '50% 20%', borderRadius: '10px' }}
      />
      <Button onClick={onRemove}>{t`Use the drawn sky`}</Button>
    </Box>
  );
}

function expiryText(latest: string | null | undefined): string {
  return typeof latest === 'string'
    ? t`A mail warns you a week before. Without a day they are kept until ${{ date: formatShortDate(latest) }}.`
    : t`A mail warns you a week before. Without a day they are kept.`;
}

function EditEventForm({ event, pin, onClose }: { event: Event; pin: string | null; onClose: () => void }) {
  const show = useSnackbar();
  const formId = useId();
  const zonesId = useId();
  const [withoutCover, setWithoutCover] = useState(false);
  // What the form opened with: the list may be loaded again meanwhile.
  const [before] = useState(() => fieldsOf(event, pin));
  const [firstDay] = useState(() =>
    new Date(Date.now() + notice * millisecondsPerDay).toISOString().slice(0, 10),
  );
  const schema = z.object({
    ...eventFields(before.date),
    description: z
      .string()
      .trim()
      .max(2000, { error: () => t`Event description must be at most 2,000 characters long` }),
    time_zone: z
      .string()
      .trim()
      .min(1, { error: () => t`Event time zone must be a name such as Asia/Kolkata` }),
    expires_on: z.string(),
    pin: z
      .string()
      .trim()
      .refine((entered) => entered === '' || /^[\p{Nd}\s-]+$/u.test(entered), {
        error: () => t`The PIN must have 4 to 8 digits`,
      }),
    downloads: z.enum(['original', 'web', 'none']),
    browsable: z.boolean(),
  });
  const form = useForm({ resolver: zodResolver(schema), defaultValues: before });
  const { errors } = form.formState;
  const asksPin = useWatch({ control: form.control, name: 'pin' }).trim() !== '';
  const saving = useChangeEvent(event.id, {
    onSuccess: () => {
      show({ tone: 'success', text: t`The event is saved.` });
      onClose();
    },
  });
  const save = (after: Fields) => {
    const changes = changesOf(before, after, withoutCover);
    if (Object.keys(changes).length === 0) onClose();
    else saving.mutate(changes);
  };
  return (
    <>
      <DialogContent>
        <Box
          component="form"
          id={formId}
          noValidate
          onSubmit={(submission) => void form.handleSubmit(save)(submission)}
          sx={{ display: 'grid', gap: 5, mt: 4 }}
        >
          {saving.isError && (
            <Alert tone="error">
              {errorMessage(saving.error, t`The setting could not be saved. Please try again.`)}
            </Alert>
          )}
          <TextField
            label={t`Event name`}
            required
            autoFocus
            error={errors.name?.message}
            {...form.register('name')}
          />
          <TextField
            label={t`Event date`}
            type="date"
            required
            slotProps={{ input: eventDateRange() }}
            error={errors.date?.message}
            {...form.register('date')}
          />
          <TextField
            label={t`Description`}
            multiline
            rows={3}
            helperText={t`Guests read it under the name.`}
            error={errors.description?.message}
            {...form.register('description')}
          />
          <Box component="fieldset" sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}>
            <Box component="legend" sx={{ p: 0, mb: 1.5, fontSize: 14, fontWeight: 600 }}>{t`Cover`}</Box>
            <Cover
              url={withoutCover ? null : (event.cover_url ?? null)}
              onRemove={() => setWithoutCover(true)}
            />
          </Box>
          <TextField
            label={t`PIN for guests`}
            autoComplete="off"
            slotProps={{ input: { inputMode: 'numeric', maxLength: 20 } }}
            helperText={t`4 to 8 digits, which guests enter before they can search; empty for none. When it changes, all of them enter the new one.`}
            error={errors.pin?.message}
            {...form.register('pin')}
          />
          <Controller
            name="downloads"
            control={form.control}
            render={({ field }) => <DownloadsField value={field.value} onChange={field.onChange} />}
          />
          {event.role === 'owner' && (
            <TextField
              label={t`Photos are removed on`}
              type="date"
              slotProps={{ input: { min: firstDay, max: event.latest_expires_on ?? undefined } }}
              helperText={expiryText(event.latest_expires_on)}
              error={errors.expires_on?.message}
              {...form.register('expires_on')}
            />
          )}
          <Controller
            name="browsable"
            control={form.control}
            render={({ field }) => (
              <BrowsingField value={field.value} asksPin={asksPin} onChange={field.onChange} />
            )}
          />
          <TextField
            label={t`Time zone`}
            autoComplete="off"
            slotProps={{ input: { list: zonesId, spellCheck: false } }}
            helperText={t`Where the event takes place: its days begin there.`}
            error={errors.time_zone?.message}
            {...form.register('time_zone')}
          />
          <datalist id={zonesId}>
            {zones().map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" form={formId} variant="contained" color="primary" loading={saving.isPending}>
          {t`Save`}
        </Button>
      </DialogActions>
    </>
  );
}

/** What of an event can be changed, once its PIN is loaded. Its link stays. */
export function EditEventDialog({
  event,
  open,
  onClose,
}: {
  event: Event;
  open: boolean;
  onClose: () => void;
}) {
  const titleId = useId();
  const loaded = useQuery(eventPinQuery(event.id, open && event.asks_pin));
  const pin = event.asks_pin ? loaded.data : null;
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{t`Edit event`}</DialogTitle>
      {pin === undefined ? (
        <>
          <DialogContent aria-busy={loaded.isPending}>
            {loaded.isError ? (
              <Alert tone="error">{errorMessage(loaded.error, t`The PIN could not be loaded.`)}</Alert>
            ) : (
              <ProgressBar label={t`Loading the event`} />
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>{t`Cancel`}</Button>
          </DialogActions>
        </>
      ) : (
        <EditEventForm event={event} pin={pin} onClose={onClose} />
      )}
    </Dialog>
  );
}
