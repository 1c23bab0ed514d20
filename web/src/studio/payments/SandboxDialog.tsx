import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { Order } from '../../platform/api/types';
import { formatRupees } from '../../platform/amounts';
import { paySandboxOrder } from './payments';
import { type CheckoutResult, failedText } from './checkout';

/** The checkout of the sandbox: simulates success, failure or cancellation. */
export function SandboxDialog({
  order,
  onResult,
}: {
  order: Order;
  onResult: (result: CheckoutResult) => void;
}) {
  const [busy, setBusy] = useState(false);
  const pay = () => {
    setBusy(true);
    paySandboxOrder(order.order_id).then(
      (proof) => onResult({ kind: 'paid', proof }),
      (error: unknown) => onResult({ kind: 'failed', text: errorMessage(error, failedText()) }),
    );
  };
  const amount = formatRupees(order.amount / 100);
  return (
    <Dialog open onClose={() => onResult({ kind: 'dismissed' })} aria-labelledby="sandbox-title">
      <DialogTitle id="sandbox-title" sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
        {t`Pay ${amount}`}
        <Chip
          label={t`Test mode`}
          sx={(theme) => ({
            color: theme.vars.palette.warning.main,
            backgroundColor: theme.vars.palette.soft.warning,
          })}
        />
      </DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mt: 2 }}>
          {t`No payment provider is set up, so no money moves. Choose how this payment ends.`}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button disabled={busy} onClick={() => onResult({ kind: 'dismissed' })}>
          {t`Cancel`}
        </Button>
        <Button
          variant="outlined"
          disabled={busy}
          onClick={() => onResult({ kind: 'failed', text: undefined })}
        >
          {t({ comment: 'lets a payment of the test mode fail', message: 'Fail' })}
        </Button>
        <Button variant="contained" color="primary" loading={busy} onClick={pay}>
          {t`Pay ${amount}`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
