import FormHelperText from '@mui/material/FormHelperText';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import Box from '@mui/material/Box';
import { type ReactNode, useId } from 'react';
import { Icon } from './Icon';

export interface TextFieldProps extends Omit<OutlinedInputProps, 'label' | 'error' | 'notched'> {
  label: string;
  /** The validation message; the field has the error colour while it is set. */
  error?: string | undefined;
  helperText?: ReactNode;
}

/** A text field with its label above it. */
export function TextField({ label, error, helperText, id, ...input }: TextFieldProps) {
  const generated = useId();
  const fieldId = id ?? generated;
  const helperTextId = `${fieldId}-help`;
  const hasHelperText = error !== undefined || helperText !== undefined;
  return (
    <Box>
      <Box
        component="label"
        htmlFor={fieldId}
        sx={{ display: 'block', fontSize: 14, fontWeight: 600, mb: 1.5 }}
      >
        {label}
      </Box>
      <OutlinedInput
        id={fieldId}
        fullWidth
        error={error !== undefined}
        {...(hasHelperText && { 'aria-describedby': helperTextId })}
        {...input}
      />
      {hasHelperText && (
        <FormHelperText
          id={helperTextId}
          error={error !== undefined}
          role={error === undefined ? undefined : 'alert'}
        >
          {error !== undefined && <Icon name="alert" size={16} />}
          {error ?? helperText}
        </FormHelperText>
      )}
    </Box>
  );
}
