import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormHelperText from '@mui/material/FormHelperText';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../platform/api/errors';
import { Icon } from '../../ui/Icon';
import { Alert } from '../../ui/Alert';
import { formatRupees } from '../../platform/amounts';
import { leftToPay } from './amounts';
import { validateCoupon } from './payments';
import { failedText } from './checkout';
import { PaymentPendingMessage } from './PaymentPendingMessage';
import { useCheckout } from './useCheckout';

const premiumPrice = 999;

export interface PremiumPayment {
  /** Rupees. */
  amount: number;
  couponCode?: string | undefined;
}

interface AppliedCoupon {
  code: string;
  /** Rupees. */
  discount: number;
}

async function applyCoupon(code: string, price: number): Promise<AppliedCoupon> {
  const { valid, discountAmount, message } = await validateCoupon(code, price);
  if (!valid) throw new Error(message || t`Invalid coupon code`);
  return { code, discount: discountAmount };
}

/** The message of an error response, or a default for network and server errors. */
const couponErrorMessage = (error: Error): string =>
  error instanceof ApiError && error.status >= 400 && error.serverMessage === undefined
    ? t`Invalid coupon code`
    : error.message;

function PriceRow({
  label,
  children,
  strong = false,
}: {
  label: string;
  children: string;
  strong?: boolean;
}) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'baseline',
        justifyContent: 'space-between',
        py: 2.25,
        fontSize: 14,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box
        component="dt"
        sx={{ color: strong ? 'text.primary' : 'text.secondary', fontWeight: strong ? 600 : 400 }}
      >
        {label}
      </Box>
      {strong ? (
        <Typography variant="figure" component="dd" sx={{ m: 0, fontSize: 26 }}>
          {children}
        </Typography>
      ) : (
        <Box component="dd" sx={{ m: 0, fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
          {children}
        </Box>
      )}
    </Box>
  );
}

/** The purchase of the premium plan: price, coupon and total. */
export function PremiumDialog({
  price = premiumPrice,
  open,
  onClose,
  onPaid,
}: {
  /** Rupees. */
  price?: number;
  open: boolean;
  onClose: () => void;
  onPaid: (payment: PremiumPayment) => void;
}) {
  const [code, setCode] = useState('');
  const [empty, setEmpty] = useState(false);
  const coupon = useMutation({ mutationFn: (wanted: string) => applyCoupon(wanted, price) });
  const { purchaseMutation, confirming, dialog } = useCheckout(t`Premium plan`);
  const discount = coupon.data?.discount ?? 0;
  const total = leftToPay(price, discount);
  const error = empty
    ? t`Please enter a coupon code`
    : coupon.isError
      ? couponErrorMessage(coupon.error)
      : null;

  const apply = () => {
    const wanted = code.trim();
    setEmpty(wanted === '');
    if (wanted === '') coupon.reset();
    else coupon.mutate(wanted);
  };
  const pay = () => {
    const couponCode = coupon.data?.code;
    purchaseMutation.mutate(
      { rupees: total, purpose: 'premium_plan', couponCode },
      { onSuccess: () => onPaid({ amount: total, couponCode }) },
    );
  };

  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        // The provider's checkout opens above this dialog and needs the focus.
        disableEnforceFocus={purchaseMutation.isPending}
        aria-labelledby="premium-title"
      >
        <DialogTitle id="premium-title">{t`Premium plan`}</DialogTitle>
        <DialogContent>
          <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
            {t`Unlimited events and photo uploads`}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {t`Paid once. No subscription, and nothing more for any upload after it.`}
          </Typography>
          <Box
            component="form"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              apply();
            }}
            sx={{ display: 'grid', gridTemplateColumns: '1fr auto', gap: 2, mt: 5 }}
          >
            <OutlinedInput
              placeholder={t`Coupon code`}
              value={code}
              error={error !== null}
              onChange={(event) => setCode(event.target.value)}
              inputProps={{ 'aria-label': t`Coupon code`, autoCapitalize: 'characters' }}
            />
            <Button type="submit" variant="outlined" loading={coupon.isPending} sx={{ minHeight: 48 }}>
              {t`Apply`}
            </Button>
          </Box>
          {error !== null && (
            <FormHelperText error role="alert">
              <Icon name="alert" size={16} />
              {error}
            </FormHelperText>
          )}
          <Box component="dl" sx={{ m: 0, mt: 2.5 }} aria-live="polite">
            <PriceRow label={t`Price`}>{formatRupees(price)}</PriceRow>
            {discount > 0 && (
              <Box sx={{ '& dd': { color: 'success.main' } }}>
                <PriceRow label={t`Discount`}>{formatRupees(-discount)}</PriceRow>
              </Box>
            )}
            <PriceRow label={t`Total`} strong>
              {formatRupees(total)}
            </PriceRow>
          </Box>
          <PaymentPendingMessage visible={confirming} />
          {purchaseMutation.isError && (
            <Alert tone="error">{purchaseMutation.error.message || failedText()}</Alert>
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button variant="contained" color="primary" loading={purchaseMutation.isPending} onClick={pay}>
            {total > 0 ? t`Pay ${{ amount: formatRupees(total) }}` : t`Upgrade`}
          </Button>
        </DialogActions>
      </Dialog>
      {dialog}
    </>
  );
}
