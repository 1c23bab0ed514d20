import { t } from '@lingui/core/macro';
import { ApiError } from '../../platform/api/errors';
import type { Order, Purpose } from '../../platform/api/types';
import { delay } from '../../platform/delay';
import { createOrder, dismissOrder, type PaymentProof, verifyPayment } from './payments';

/** The result of the provider's checkout. */
export type CheckoutResult =
  | { kind: 'paid'; proof: PaymentProof }
  | { kind: 'dismissed' }
  | { kind: 'failed'; text: string | undefined };

export interface Purchase {
  rupees: number;
  purpose: Purpose;
  couponCode?: string | undefined;
}

export const failedText = (): string => t`Payment failed. Please try again.`;
const unconfirmedText = (): string =>
  t`Your payment is made. It is credited as soon as it is confirmed: please do not pay again.`;

/** Interval in milliseconds and maximum number of attempts to verify a payment that is not captured yet. */
const confirmInterval = 2000;
const maxConfirmAttempts = 15;

const isPending = (error: unknown): boolean => error instanceof ApiError && error.code === 'payment_pending';

/** No answer, or none that says what became of the payment. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

async function confirm(proof: PaymentProof) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await verifyPayment(proof);
    } catch (error) {
      // The capture of an authorized payment can be delayed, and network errors can be temporary.
      if (!isPending(error) && !isUnanswered(error)) throw error;
      if (attempt === maxConfirmAttempts) {
        // The provider has taken the money: who is told of a failure pays again.
        throw isPending(error) ? error : new Error(unconfirmedText(), { cause: error });
      }
      await delay(confirmInterval);
    }
  }
}

/**
 * Creates the order, opens the checkout and verifies the payment. Throws an error with the message to show.
 * `onPaid` is called after the checkout, before the verification.
 */
export async function purchase(
  { rupees, purpose, couponCode }: Purchase,
  openCheckout: (order: Order) => Promise<CheckoutResult>,
  onPaid: () => void,
) {
  const order = await createOrder(rupees, purpose, couponCode);
  // The coupon has paid for all of it.
  if (order.is_paid) return { credits_received: 0 };
  const result = await openCheckout(order);
  switch (result.kind) {
    case 'paid':
      onPaid();
      return confirm(result.proof);
    case 'dismissed':
      // Without it the server releases the coupon half an hour later.
      await dismissOrder(order.order_id).catch(() => undefined);
      throw new Error(t`Payment was cancelled`);
    case 'failed':
      throw new Error(result.text ?? failedText());
  }
}
