import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Switch from '@mui/material/Switch';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { Watermark } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { TextField } from '../../ui/TextField';
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

const formOf = (watermark: Watermark | null, studio: string): NewWatermark => ({
  text: watermark === null ? `© ${studio}`.slice(0, 60) : (watermark.text ?? ''),
  position: watermark?.position ?? 'bottom_right',
  opacity: watermark?.opacity ?? 60,
  onDownloads: watermark?.on_downloads ?? false,
});

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

/** The text or the logo that is on previews, where, and how much of it is seen. */
export function WatermarkForm({
  watermark,
  studio,
  onSaved,
  onRemoved,
}: {
  watermark: Watermark | null;
  studio: string;
  onSaved: (watermark: Watermark) => void;
  onRemoved: () => void;
}) {
  const [form, setForm] = useState(() => formOf(watermark, studio));
  const save = useMutation({ mutationFn: saveWatermark, onSuccess: onSaved });
  const remove = useMutation({ mutationFn: removeWatermark, onSuccess: onRemoved });
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
          {errorMessage(failed, t`The watermark could not be saved. Please try again.`)}
        </Alert>
      )}
      <TextField
        label={t`Text`}
        helperText={t`Leave it empty to show the logo of your studio instead.`}
        slotProps={{ input: { maxLength: 60 } }}
        value={form.text}
        onChange={(event) => setForm({ ...form, text: event.target.value })}
      />
      <PositionField value={form.position} onChange={(position) => setForm({ ...form, position })} />
      <OpacityField value={form.opacity} onChange={(opacity) => setForm({ ...form, opacity })} />
      <FormControlLabel
        control={
          <Switch
            size="small"
            checked={form.onDownloads}
            onChange={(_, onDownloads) => setForm({ ...form, onDownloads })}
          />
        }
        label={t`On what guests save in web size, too`}
      />
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
