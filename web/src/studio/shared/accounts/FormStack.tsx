import Box from '@mui/material/Box';
import type { ReactNode, SyntheticEvent } from 'react';

/** A form with stacked fields. Native validation is off: the fields show their errors. */
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
