import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import type { useGuestLink } from './useGuestLink';

/** The PIN of an event, and what of it is in the link and on paper; nothing where it asks for none. */
export function PinChoices({ link: { pin, choices } }: { link: ReturnType<typeof useGuestLink> }) {
  if (pin === null) return null;
  const { withPin, setWithPin, printsPin, setPrintsPin } = choices;
  return (
    <Box>
      <Typography sx={{ fontSize: 14, fontWeight: 600 }}>{t`PIN: ${{ pin }}`}</Typography>
      <FormControlLabel
        sx={{ mt: 1, '& .MuiFormControlLabel-label': { fontSize: 14 } }}
        control={<Switch size="small" checked={withPin} onChange={(_, checked) => setWithPin(checked)} />}
        label={t`The link and the code enter the PIN`}
      />
      <FormControlLabel
        sx={{ '& .MuiFormControlLabel-label': { fontSize: 14 } }}
        control={<Switch size="small" checked={printsPin} onChange={(_, checked) => setPrintsPin(checked)} />}
        label={t`Poster and table card show the PIN`}
      />
    </Box>
  );
}
