import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

/** A select with its label above it, and what the chosen one means below. */
export function Choice({
  label,
  value,
  onChange,
  help,
  disabled = false,
  autoFocus = false,
  children,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  help?: string;
  disabled?: boolean;
  autoFocus?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Box>
      <Box component="label" htmlFor={id} sx={{ display: 'block', fontSize: 14, fontWeight: 600, mb: 1.5 }}>
        {label}
      </Box>
      <NativeSelect
        value={value}
        onChange={({ target }) => onChange(target.value)}
        input={<OutlinedInput />}
        inputProps={{ id, ...(help !== undefined && { 'aria-describedby': `${id}-help` }) }}
        disabled={disabled}
        autoFocus={autoFocus}
        fullWidth
      >
        {children}
      </NativeSelect>
      {help !== undefined && (
        <Typography id={`${id}-help`} variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
          {help}
        </Typography>
      )}
    </Box>
  );
}
