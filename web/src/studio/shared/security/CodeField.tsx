import { t } from '@lingui/core/macro';
import { TextField } from '../../../ui/TextField';

/** The code of a second factor. */
export function CodeField({
  value,
  appOnly = false,
  autoFocus = false,
  onChange,
}: {
  value: string;
  /** Whether a recovery code is none. */
  appOnly?: boolean;
  autoFocus?: boolean;
  onChange: (value: string) => void;
}) {
  return (
    <TextField
      label={t`Code`}
      helperText={
        appOnly ? t`The six digits that the app shows` : t`Six digits of the app, or a recovery code`
      }
      autoComplete="one-time-code"
      autoFocus={autoFocus}
      value={value}
      inputProps={{ dir: 'ltr', maxLength: 40, spellCheck: false, autoCapitalize: 'none' }}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
