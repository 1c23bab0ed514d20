import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useId } from 'react';
import type { Event } from '../../api/types';

type Downloads = Event['downloads'];

const choices: readonly { value: Downloads; text: () => string }[] = [
  { value: 'original', text: () => t`Originals and web size` },
  { value: 'web', text: () => t`Web size alone, up to 2048 pixels` },
  { value: 'none', text: () => t`Nothing: they only look at photos` },
];

const isDownloads = (value: string): value is Downloads => choices.some((choice) => choice.value === value);

/** What the guests of an event can save. */
export function DownloadsField({
  value,
  onChange,
}: {
  value: Downloads;
  onChange: (value: Downloads) => void;
}) {
  const [legendId, helpId] = [useId(), useId()];
  return (
    <Box>
      <Box id={legendId} sx={{ mb: 0.5, fontSize: 14, fontWeight: 600 }}>{t`Guests can save`}</Box>
      <RadioGroup
        aria-labelledby={legendId}
        aria-describedby={helpId}
        value={value}
        onChange={(_, chosen) => isDownloads(chosen) && onChange(chosen)}
      >
        {choices.map((choice) => (
          <FormControlLabel
            key={choice.value}
            value={choice.value}
            control={<Radio size="small" />}
            label={choice.text()}
          />
        ))}
      </RadioGroup>
      <FormHelperText id={helpId}>
        {t`It holds at once, also for links that guests have. What a screen shows can still be captured.`}
      </FormHelperText>
    </Box>
  );
}
