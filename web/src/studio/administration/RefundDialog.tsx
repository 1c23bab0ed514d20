import { t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatRupees } from '../../platform/amounts';
import { errorMessage } from '../../platform/api/errors';
import { useSnackbar } from '../../ui/useSnackbar';
import { ActionDialog } from '../../ui/ActionDialog';
import { administrationKey, paymentsKey } from './administration';
import { changeFailedText, refundPayment } from './changes';
import type { DueRefund } from './types';

/** Asks before money goes back. */
export function RefundDialog({ refund, onClose }: { refund: DueRefund; onClose: () => void }) {
  const show = useSnackbar();
  const client = useQueryClient();
  const amount = formatRupees(refund.amount);
  const give = useMutation({
    mutationFn: () => refundPayment(refund.payment_id),
    onSuccess: ({ status }) => {
      onClose();
      if (status === 'failed') {
        show({ tone: 'error', text: t`The payment provider could not refund ${amount}.` });
      } else {
        show({
          tone: 'success',
          text:
            status === 'processed'
              ? t`${amount} is refunded.`
              : t`The refund of ${amount} is under way. It can take some days.`,
        });
      }
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: paymentsKey }),
        client.invalidateQueries({ queryKey: [...administrationKey, 'overview'] }),
      ]),
  });
  return (
    <ActionDialog
      title={t`Refund ${amount}?`}
      text={
        refund.account == null
          ? t`The money goes back the way it came. This cannot be undone.`
          : t`The money goes back to ${{ email: refund.account.email }} the way it came. This cannot be undone.`
      }
      action={t`Refund ${amount}`}
      danger
      busy={give.isPending}
      failure={give.isError ? errorMessage(give.error, changeFailedText()) : null}
      onClose={onClose}
      onSubmit={() => give.mutate()}
    />
  );
}
