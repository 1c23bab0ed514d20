import Typography from '@mui/material/Typography';

/** Says that a payment has been made and waits for the provider's word. */
export function ConfirmingLine({ active }: { active: boolean }) {
  return (
    <Typography
      variant="caption"
      component="p"
      role="status"
      align="center"
      color="textSecondary"
      sx={{ mt: active ? 2.5 : 0 }}
    >
      {active && 'Payment made. Waiting for its confirmation…'}
    </Typography>
  );
}
