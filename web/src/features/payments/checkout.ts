import type { Order, Purpose } from '../../shared/api/types';
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

/** Creates the order, opens the checkout, verifies the payment. Throws an error whose message is the text to show. */
export async function purchase(
  { rupees, purpose, couponCode }: Purchase,
  openCheckout: (order: Order) => Promise<CheckoutEnd>,
) {
  const order = await createOrder(rupees, purpose, couponCode);
  const end = await openCheckout(order);
  switch (end.kind) {
    case 'paid':
      return verifyPayment(end.proof);
    case 'dismissed':
      throw new Error(cancelledText);
    case 'failed':
      throw new Error(end.text ?? failedText);
  }
}
