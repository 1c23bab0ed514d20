import { t } from '@lingui/core/macro';
import { api, unwrapResponse } from '../../platform/api/client';
import type { Purpose } from '../../platform/api/types';

/** Converts rupees to whole paise, without floating-point errors. */
export const toPaise = (rupees: number): number => Math.round(rupees * 100);

export const createOrder = (rupees: number, purpose: Purpose, couponCode: string | undefined) =>
  unwrapResponse(
    api.POST('/api/payments/create-order', {
      body: {
        amount: toPaise(rupees),
        purpose,
        ...(couponCode !== undefined && { coupon_code: couponCode }),
      },
    }),
    t`Failed to create order`,
  );

/** The provider's response after a payment, which the server verifies. */
export interface PaymentProof {
  razorpay_payment_id: string;
  razorpay_order_id: string;
  razorpay_signature: string;
}

export const verifyPayment = async (proof: PaymentProof) => {
  const answer = await unwrapResponse(
    api.POST('/api/payments/verify-payment', { body: proof }),
    t`Payment verification failed`,
  );
  if (!answer.success) throw new Error(t`Payment verification failed`);
  return answer;
};

/** Releases the coupon of an order whose checkout was dismissed. */
export const dismissOrder = (order_id: string) =>
  unwrapResponse(
    api.POST('/api/payments/dismiss-order', { body: { order_id } }),
    t`Failed to cancel the order`,
  );

/** Pays a sandbox order. */
export const paySandboxOrder = (order_id: string): Promise<PaymentProof> =>
  unwrapResponse(
    api.POST('/api/payments/sandbox', { body: { order_id } }),
    t`Payment failed. Please try again.`,
  );

export const validateCoupon = (couponCode: string, amount: number) =>
  unwrapResponse(
    api.POST('/api/validate-coupon', { body: { couponCode, amount } }),
    t`Error applying coupon. Please try again.`,
  );
