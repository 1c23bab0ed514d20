import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { Studio, Watermark } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { TextField } from '../../ui/TextField';
import { darkColors } from '../../ui/theme/tokens';
import type { Ground } from '../shared/brand/studio';
import { type NewWatermark, removeWatermark, saveWatermark } from '../shared/brand/watermark';
import { SettingForm } from './SettingCard';

type Position = Watermark['position'];

const positions: readonly { value: Position; text: () => string }[] = [
  { value: 'bottom_right', text: () => t`Bottom right` },
  { value: 'bottom_left', text: () => t`Bottom left` },
  { value: 'center', text: () => t`Centre` },
  { value: 'tiled', text: () => t`All over the photo` },
];

const isPosition = (value: string): value is Position => positions.some((each) => each.value === value);

const formOf = (watermark: Watermark | null, studio: Studio): Form => ({
  text: watermark === null ? `© ${studio.name}`.slice(0, 60) : (watermark.text ?? ''),
  logo: watermark?.logo ?? (studio.logo == null && studio.dark_logo != null ? 'dark' : 'light'),
  position: watermark?.position ?? 'bottom_right',
  opacity: watermark?.opacity ?? 60,
  onDownloads: watermark?.on_downloads ?? null,
});

/** A watermark that is being made: whether it is on what is saved is asked, and nothing is taken for granted. */
type Form = Omit<NewWatermark, 'onDownloads'> & { onDownloads: boolean | null };

function PositionField({ value, onChange }: { value: Position; onChange: (position: Position) => void }) {
  const legendId = useId();
  return (
    <Box>
      <Box id={legendId} sx={{ mb: 0.5, fontSize: 14, fontWeight: 600 }}>{t`Position`}</Box>
      <RadioGroup
        aria-labelledby={legendId}
        value={value}
        onChange={(_, chosen) => isPosition(chosen) && onChange(chosen)}
      >
        {positions.map(({ value, text }) => (
          <FormControlLabel key={value} value={value} control={<Radio size="small" />} label={text()} />
        ))}
      </RadioGroup>
    </Box>
  );
}

function Explained({ text, consequence }: { text: string; consequence: string }) {
  return (
    <>
      {text}
      <Box component="span" sx={{ display: 'block', fontSize: 14, color: 'text.secondary' }}>
        {consequence}
      </Box>
    </>
  );
}

/** Which of both logos the mark is, each on what it is for. */
function LogoField({
  studio,
  value,
  onChange,
}: {
  studio: Studio;
  value: Ground;
  onChange: (logo: Ground) => void;
}) {
  const legendId = useId();
  const choices = [
    { ground: 'light', logo: studio.logo, text: t`On a white plate`, surface: '#ffffff' },
    {
      ground: 'dark',
      logo: studio.dark_logo,
      text: t`The one for dark backgrounds, with a shadow`,
      surface: darkColors.surface,
    },
  ] as const;
  return (
    <Box>
      <Box id={legendId} sx={{ mb: 0.5, fontSize: 14, fontWeight: 600 }}>{t`Logo`}</Box>
      <RadioGroup
        aria-labelledby={legendId}
        value={value}
        onChange={(_, chosen) => onChange(chosen === 'dark' ? 'dark' : 'light')}
      >
        {choices.map(({ ground, logo, text, surface }) => (
          <FormControlLabel
            key={ground}
            value={ground}
            control={<Radio size="small" />}
            label={
              <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, py: 1 }}>
                <Box
                  component="img"
                  src={logo?.url}
                  alt=""
                  sx={{
                    maxWidth: 120,
                    maxHeight: 44,
                    p: 1.5,
                    borderRadius: '8px',
                    border: 1,
                    borderColor: 'divider',
                  }}
                  style={{ backgroundColor: surface }}
                />
                {text}
              </Box>
            }
          />
        ))}
      </RadioGroup>
    </Box>
  );
}

/** Whether the mark leaves the page with the photos; a choice with consequences, so that both are said. */
function ReachField({
  value,
  onChange,
}: {
  value: boolean | null;
  onChange: (onDownloads: boolean) => void;
}) {
  const [legendId, hintId] = [useId(), useId()];
  const choices = [
    {
      value: 'looks',
      label: t`On photos that they look at`,
      consequence: t`What guests save and send on has no watermark.`,
    },
    {
      value: 'saves',
      label: t`Also on photos that they save in web size`,
      consequence: t`Your watermark goes along when such a photo is sent on.`,
    },
  ];
  return (
    <Box>
      <Box id={legendId} sx={{ mb: 0.5, fontSize: 14, fontWeight: 600 }}>{t`Where guests see it`}</Box>
      <RadioGroup
        aria-labelledby={legendId}
        aria-describedby={hintId}
        aria-required
        value={value === null ? '' : value ? 'saves' : 'looks'}
        onChange={(_, chosen) => onChange(chosen === 'saves')}
        sx={{ gap: 1 }}
      >
        {choices.map(({ value, label, consequence }) => (
          <FormControlLabel
            key={value}
            value={value}
            control={<Radio size="small" />}
            label={<Explained text={label} consequence={consequence} />}
            sx={{ alignItems: 'flex-start', '& .MuiRadio-root': { mt: '-6px' } }}
          />
        ))}
      </RadioGroup>
      <Box id={hintId} sx={{ mt: 1, fontSize: 14, color: 'text.secondary' }}>
        {t`Originals never have it. An event whose guests can save originals gives them photos without it; “Web size alone” in the event’s settings does not.`}
      </Box>
    </Box>
  );
}

function OpacityField({ value, onChange }: { value: number; onChange: (opacity: number) => void }) {
  const fieldId = useId();
  return (
    <Box>
      <Box
        component="label"
        htmlFor={fieldId}
        sx={{ display: 'block', mb: 1.5, fontSize: 14, fontWeight: 600 }}
      >
        {t`Opacity: ${{ opacity: value }} %`}
      </Box>
      <Box
        component="input"
        id={fieldId}
        type="range"
        min={10}
        max={100}
        step={5}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        sx={{ width: '100%', maxWidth: 320, height: 32, accentColor: 'var(--mui-palette-primary-main)' }}
      />
    </Box>
  );
}

/** The text or a logo that is on previews, where, and how much of it is seen. */
export function WatermarkForm({
  watermark,
  studio,
  onSaved,
  onRemoved,
}: {
  watermark: Watermark | null;
  studio: Studio;
  onSaved: (watermark: Watermark) => void;
  onRemoved: () => void;
}) {
  const [form, setForm] = useState(() => formOf(watermark, studio));
  const save = useMutation({ mutationFn: saveWatermark, onSuccess: onSaved });
  const remove = useMutation({ mutationFn: removeWatermark, onSuccess: onRemoved });
  const [unanswered, setUnanswered] = useState(false);
  const failed = save.error ?? remove.error;
  const busy = save.isPending || remove.isPending;
  return (
    <SettingForm
      onSubmit={() => {
        remove.reset();
        const { onDownloads, ...rest } = form;
        setUnanswered(onDownloads === null);
        if (onDownloads !== null) save.mutate({ ...rest, onDownloads });
      }}
    >
      {failed !== null && (
        <Alert tone="error">
          {errorMessage(failed, t`The watermark could not be saved. Please try again.`)}
        </Alert>
      )}
      {unanswered && form.onDownloads === null && (
        <Alert tone="error">{t`Please choose where guests see your watermark.`}</Alert>
      )}
      <TextField
        label={t`Text`}
        helperText={t`Leave it empty to show the logo of your studio instead.`}
        slotProps={{ input: { maxLength: 60 } }}
        value={form.text}
        onChange={(event) => setForm({ ...form, text: event.target.value })}
      />
      {form.text.trim() === '' && studio.logo != null && studio.dark_logo != null && (
        <LogoField studio={studio} value={form.logo} onChange={(logo) => setForm({ ...form, logo })} />
      )}
      <ReachField value={form.onDownloads} onChange={(onDownloads) => setForm({ ...form, onDownloads })} />
      <PositionField value={form.position} onChange={(position) => setForm({ ...form, position })} />
      <OpacityField value={form.opacity} onChange={(opacity) => setForm({ ...form, opacity })} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        <Button type="submit" variant="contained" color="primary" disabled={busy} loading={save.isPending}>
          {t`Save watermark`}
        </Button>
        {watermark !== null && (
          <Button
            color="error"
            disabled={busy}
            loading={remove.isPending}
            onClick={() => {
              save.reset();
              remove.mutate();
            }}
          >
            {t`Remove watermark`}
          </Button>
        )}
      </Box>
    </SettingForm>
  );
}
