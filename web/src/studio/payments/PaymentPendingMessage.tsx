import { t } from '@lingui/core/macro';
import Typography from '@mui/material/Typography';

/** Shows that a payment is waiting for its confirmation. */
export function PaymentPendingMessage({ visible }: { visible: boolean }) {
  return (
    <Typography
      variant="caption"
      component="p"
      role="status"
      align="center"
      color="textSecondary"
      sx={{ mt: visible ? 2.5 : 0 }}
    >
      {visible && t`Payment made. Waiting for its confirmation…`}
    </Typography>
  );
}
