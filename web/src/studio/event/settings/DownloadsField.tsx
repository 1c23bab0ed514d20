import { t } from '@lingui/core/macro';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useId } from 'react';
import type { Event } from '../../../platform/api/types';
import { SettingRow } from '../../../ui/SettingRow';

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
  disabled,
  onChange,
}: {
  value: Downloads;
  disabled: boolean;
  onChange: (value: Downloads) => void;
}) {
  const [titleId, hintId] = [useId(), useId()];
  return (
    <SettingRow
      stacked
      title={t`Guests can save`}
      hint={t`It holds at once, also for links that guests have. What a screen shows can still be captured.`}
      titleId={titleId}
      hintId={hintId}
    >
      <RadioGroup
        aria-labelledby={titleId}
        aria-describedby={hintId}
        value={value}
        onChange={(_, chosen) => isDownloads(chosen) && onChange(chosen)}
      >
        {choices.map((choice) => (
          <FormControlLabel
            key={choice.value}
            value={choice.value}
            disabled={disabled}
            control={<Radio size="small" />}
            label={choice.text()}
          />
        ))}
      </RadioGroup>
    </SettingRow>
  );
}
