import Box from '@mui/material/Box';
import { type ReactNode, type SyntheticEvent, useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether the scripts have taken over what the build has rendered. */
const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/**
 * A form with stacked fields. Native validation is off: the fields show their errors. Until the scripts are there nothing can be
 * typed, which would be lost, or sent as the query of an address.
 */
export function FormStack({
  onSubmit,
  children,
}: {
  onSubmit: (event: SyntheticEvent) => void;
  children: ReactNode;
}) {
  const hydrated = useHydrated();
  return (
    <Box component="form" noValidate onSubmit={onSubmit} sx={{ mt: 7 }}>
      <Box
        component="fieldset"
        disabled={!hydrated}
        sx={{ display: 'grid', gap: 4.5, m: 0, p: 0, border: 0, minWidth: 0 }}
      >
        {children}
      </Box>
    </Box>
  );
}
