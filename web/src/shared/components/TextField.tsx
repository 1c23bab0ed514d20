import FormHelperText from '@mui/material/FormHelperText';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import Box from '@mui/material/Box';
import { type ReactNode, useId } from 'react';
import { Icon } from './Icon';

export interface TextFieldProps extends Omit<OutlinedInputProps, 'label' | 'error' | 'notched'> {
  label: string;
  /** Says what is wrong; the field turns crimson while it is there. */
  error?: string | undefined;
  help?: ReactNode;
}

/** A field with its label above it. */
export function TextField({ label, error, help, id, ...input }: TextFieldProps) {
  const generated = useId();
  const fieldId = id ?? generated;
  const helpId = `${fieldId}-help`;
  const hasHelp = error !== undefined || help !== undefined;
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
        {...(hasHelp && { 'aria-describedby': helpId })}
        {...input}
      />
      {hasHelp && (
        <FormHelperText
          id={helpId}
          error={error !== undefined}
          role={error === undefined ? undefined : 'alert'}
        >
          {error !== undefined && <Icon name="alert" size={16} />}
          {error ?? help}
        </FormHelperText>
      )}
    </Box>
  );
}
