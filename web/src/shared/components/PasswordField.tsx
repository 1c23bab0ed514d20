import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { Icon } from './Icon';
import { TextField, type TextFieldProps } from './TextField';

/** A password field with a button that toggles its visibility. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'endAdornment'>) {
  const [visible, setVisible] = useState(false);
  return (
    <TextField
      {...props}
      type={visible ? 'text' : 'password'}
      endAdornment={
        <IconButton
          aria-label={visible ? `Hide ${props.label.toLowerCase()}` : `Show ${props.label.toLowerCase()}`}
          aria-pressed={visible}
          onClick={() => setVisible(!visible)}
          edge="end"
        >
          <Icon name={visible ? 'eyeOff' : 'eye'} />
        </IconButton>
      }
    />
  );
}
