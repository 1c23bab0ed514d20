import { ApiError } from '../../shared/api/errors';
import type { Order, Purpose } from '../../shared/api/types';
import { delay } from '../../shared/delay';
import { createOrder, type PaymentProof, verifyPayment } from './calls';

/** How the provider's checkout ended. */
export type CheckoutEnd =
  | { kind: 'paid'; proof: PaymentProof }
  | { kind: 'dismissed' }
  | { kind: 'failed'; text: string | undefined };

export interface Purchase {
  rupees: number;
  purpose: Purpose;
  couponCode?: string | undefined;
}

export const cancelledText = 'Payment was cancelled';
export const failedText = 'Payment failed. Please try again.';

/** Milliseconds between two looks at a payment that is not confirmed yet, and how many looks there are. */
const confirmEvery = 2000;
const confirmLooks = 15;

/** The bank's yes may take a moment to become money, and a network that is lost may come back. */
const mayStillCome = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'payment_pending' || error.status === 0 || error.status >= 502);

async function confirm(proof: PaymentProof) {
  for (let look = 1; ; look += 1) {
    try {
      return await verifyPayment(proof);
    } catch (error) {
      if (look === confirmLooks || !mayStillCome(error)) throw error;
      await delay(confirmEvery);
    }
  }
}

/**
 * Creates the order, opens the checkout, verifies the payment. Throws an error whose message is the text to show.
 * `onPaid` is called when the checkout has taken the payment and only its verification is left.
 */
export async function purchase(
  { rupees, purpose, couponCode }: Purchase,
  openCheckout: (order: Order) => Promise<CheckoutEnd>,
  onPaid: () => void,
) {
  const order = await createOrder(rupees, purpose, couponCode);
  const end = await openCheckout(order);
  switch (end.kind) {
    case 'paid':
      onPaid();
      return confirm(end.proof);
    case 'dismissed':
      throw new Error(cancelledText);
    case 'failed':
      throw new Error(end.text ?? failedText);
  }
}
