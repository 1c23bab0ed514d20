import Box from '@mui/material/Box';
import type { ReactNode, SyntheticEvent } from 'react';

/** The fields of a form, one below the other. The browser's own bubbles are off: the fields say what is wrong. */
export function FormStack({
  onSubmit,
  children,
}: {
  onSubmit: (event: SyntheticEvent) => void;
  children: ReactNode;
}) {
  return (
    <Box component="form" noValidate onSubmit={onSubmit} sx={{ display: 'grid', gap: 4.5, mt: 7 }}>
      {children}
    </Box>
  );
}
