import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Switch from '@mui/material/Switch';
import { useId } from 'react';

/** Whether the guests of an event may look at all of its photos. */
export function BrowsingField({
  value,
  asksPin,
  onChange,
}: {
  value: boolean;
  /** Whether guests enter a PIN first. */
  asksPin: boolean;
  onChange: (value: boolean) => void;
}) {
  const helpId = useId();
  return (
    <Box>
      <FormControlLabel
        control={
          <Switch
            size="small"
            checked={value}
            slotProps={{ input: { 'aria-describedby': helpId } }}
            onChange={(_, chosen) => onChange(chosen)}
          />
        }
        label={t`Guests may browse all photos`}
      />
      <FormHelperText id={helpId}>
        {asksPin
          ? t`Everybody who has the link and the PIN sees everybody's photos, not only their own. Photos that guests asked to hide stay hidden.`
          : t`Everybody who has the link sees everybody's photos, not only their own. A PIN is recommended. Photos that guests asked to hide stay hidden.`}
      </FormHelperText>
    </Box>
  );
}
