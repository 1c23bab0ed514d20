import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { english } from '../platform/i18n/languages';
import { Icon } from './Icon';
import { TextField, type TextFieldProps } from './TextField';

/** A password field with a button that toggles its visibility. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'endAdornment'>) {
  const [visible, setVisible] = useState(false);
  // Other languages have capitals within a sentence too.
  const field = i18n.locale === english.tag ? props.label.toLowerCase() : props.label;
  return (
    <TextField
      {...props}
      type={visible ? 'text' : 'password'}
      endAdornment={
        <IconButton
          aria-label={visible ? t`Hide ${field}` : t`Show ${field}`}
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
