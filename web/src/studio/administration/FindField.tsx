import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useState } from 'react';
import { Icon } from '../../ui/Icon';

/** Milliseconds without a key after which what was typed is looked for. */
const typingPause = 250;

/** A field whose text is looked for once the typing pauses. */
export function FindField({
  label,
  placeholder,
  value,
  onFind,
}: {
  label: string;
  placeholder: string;
  value: string;
  onFind: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => onFind(text.trim()), typingPause);
    return () => clearTimeout(timer);
  }, [text, value, onFind]);
  return (
    <OutlinedInput
      type="search"
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.target.value)}
      inputProps={{ 'aria-label': label, maxLength: 200 }}
      startAdornment={<Icon name="search" />}
      sx={{ minHeight: 44, width: { xs: '100%', sm: 320 }, pl: 3, '& input': { pl: 2, py: 2 } }}
    />
  );
}
