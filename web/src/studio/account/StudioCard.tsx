import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type NewStudio, removeStudio, saveStudio, studioQuery } from '../shared/brand/studio';
import { watermarkQuery } from '../shared/brand/watermark';
import { errorMessage } from '../../platform/api/errors';
import type { Studio } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { TextField } from '../../ui/TextField';
import { lightColors } from '../../ui/theme/tokens';
import { SettingCard, SettingForm, useSavedMessage } from './SettingCard';
import { AccentPreview } from './AccentPreview';
import { StudioLogo } from './StudioLogo';
import { StudioPreview } from './StudioPreview';

const formOf = (studio: Studio | null): NewStudio => ({
  name: studio?.name ?? '',
  accent: studio?.accent?.color ?? '',
  website: studio?.website ?? '',
  instagram: studio?.instagram == null ? '' : `@${studio.instagram}`,
  contact: studio?.contact?.text ?? '',
});

/** The design's own, which the browser's chooser begins with while none is entered. */
const designAccent = lightColors.accent.toLowerCase();

function AccentField({ value, onChange }: { value: string; onChange: (color: string) => void }) {
  return (
    <TextField
      label={t`Accent colour`}
      placeholder={designAccent}
      helperText={t`For the main button. Where it could not be read in the light or the dark theme, guests see a shade of it that can.`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      endAdornment={
        <Box
          component="input"
          type="color"
          aria-label={t`Choose the accent colour`}
          value={/^#[\da-f]{6}$/i.test(value) ? value.toLowerCase() : designAccent}
          onChange={(event) => onChange(event.target.value)}
          sx={{ flex: 'none', width: 44, height: 32, p: 0, border: 0, background: 'none', cursor: 'pointer' }}
        />
      }
    />
  );
}

function StudioForm({
  studio,
  onSaved,
  onRemoved,
}: {
  studio: Studio | null;
  onSaved: (studio: Studio) => void;
  onRemoved: () => void;
}) {
  const [form, setForm] = useState(() => formOf(studio));
  const save = useMutation({ mutationFn: saveStudio, onSuccess: onSaved });
  const remove = useMutation({ mutationFn: removeStudio, onSuccess: onRemoved });
  const set = (field: keyof NewStudio) => (value: string) => setForm({ ...form, [field]: value });
  const bind = (field: keyof NewStudio) => ({
    value: form[field],
    onChange: (event: { target: { value: string } }) => set(field)(event.target.value),
  });
  const failed = save.error ?? remove.error;
  const busy = save.isPending || remove.isPending;
  return (
    <SettingForm
      onSubmit={() => {
        remove.reset();
        save.mutate(form);
      }}
    >
      {failed !== null && (
        <Alert tone="error">
          {errorMessage(failed, t`The studio could not be saved. Please try again.`)}
        </Alert>
      )}
      <TextField
        label={t`Studio name`}
        required
        autoFocus
        autoComplete="organization"
        slotProps={{ input: { maxLength: 80 } }}
        {...bind('name')}
      />
      <AccentField value={form.accent} onChange={set('accent')} />
      <AccentPreview entered={form.accent} />
      <TextField
        label={t`Website`}
        type="url"
        inputMode="url"
        autoComplete="url"
        placeholder="https://studio.example"
        {...bind('website')}
      />
      <TextField label={t`Instagram handle`} placeholder="@studio.example" {...bind('instagram')} />
      <TextField
        label={t`Contact`}
        helperText={t`An email address or a phone number that guests may see.`}
        {...bind('contact')}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        <Button
          type="submit"
          variant="contained"
          color="primary"
          disabled={form.name.trim() === '' || busy}
          loading={save.isPending}
        >
          {t`Save studio`}
        </Button>
        {studio !== null && (
          <Button
            color="error"
            disabled={busy}
            loading={remove.isPending}
            onClick={() => {
              save.reset();
              remove.mutate();
            }}
          >
            {t`Remove studio`}
          </Button>
        )}
      </Box>
    </SettingForm>
  );
}

/** What guests see of who took their photos. */
export function StudioCard() {
  const client = useQueryClient();
  const query = studioQuery();
  const loaded = useQuery(query);
  const [editing, setEditing] = useState(false);
  const [saved, setSaved] = useSavedMessage();
  const studio = loaded.data?.studio ?? null;
  const keep = (studio: Studio | null, message: string) => {
    client.setQueryData(query.queryKey, { studio });
    // It goes with the studio.
    if (studio === null) client.removeQueries({ queryKey: watermarkQuery().queryKey });
    setEditing(false);
    setSaved(message);
  };
  const note = () => {
    if (loaded.isError) return <Alert tone="error">{loaded.error.message}</Alert>;
    if (loaded.isPending) return t`Loading...`;
    return studio === null
      ? t`Your name and your links on the pages, the mails and the previews of your events.`
      : !editing && (
          <>
            <StudioPreview studio={studio} />
            <StudioLogo
              studio={studio}
              onChange={(changed) => {
                client.setQueryData(query.queryKey, { studio: changed });
                // One that is the logo is another one with it.
                void client.invalidateQueries({ queryKey: watermarkQuery().queryKey });
              }}
            />
          </>
        );
  };
  return (
    <SettingCard
      title={t`Studio`}
      value={studio?.name}
      note={note()}
      toggleLabel={studio === null ? t`Set up studio` : t`Edit studio`}
      editing={editing && loaded.isSuccess}
      saved={saved}
      onToggle={() => {
        // The form opens as soon as what it shows is there.
        setEditing(!editing);
        if (loaded.isError) void loaded.refetch();
      }}
    >
      <StudioForm
        studio={studio}
        onSaved={(studio) => keep(studio, t`Studio saved.`)}
        onRemoved={() => keep(null, t`Studio removed.`)}
      />
    </SettingCard>
  );
}
