import { t } from '@lingui/core/macro';
import { TextField } from '../../../../ui/TextField';
import { maxNameLength } from '../../../shared/events/albums/albums';

export const nameErrorOf = (name: string): string | undefined =>
  name.trim() === '' ? t`Please give the album a name` : undefined;

export function AlbumNameField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (name: string) => void;
}) {
  return (
    <TextField
      label={t`Album name`}
      helperText={t`Such as Ceremony`}
      error={error}
      autoFocus
      value={value}
      inputProps={{ maxLength: maxNameLength }}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
