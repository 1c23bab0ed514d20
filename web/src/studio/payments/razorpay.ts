import { t } from '@lingui/core/macro';
import { siteName } from '../../platform/siteName';
import type { Order } from '../../platform/api/types';
import type { PaymentProof } from './payments';
import type { CheckoutResult } from './checkout';

const scriptUrl = 'https://checkout.razorpay.com/v1/checkout.js';

interface RazorpayCheckout {
  open: () => void;
  on: (event: 'payment.failed', listener: (failure: { error: { description?: string } }) => void) => void;
}

interface RazorpayOptions {
  key: string;
  amount: number;
  currency: string;
  order_id: string;
  name: string;
  description: string;
  prefill: { name: string; email: string };
  handler: (proof: PaymentProof) => void;
  modal: { ondismiss: () => void };
}

declare global {
  interface Window {
    Razorpay?: new (options: RazorpayOptions) => RazorpayCheckout;
  }
}

/** Loads the provider's script once; a failed attempt can be repeated. */
async function loadScript(): Promise<void> {
  if (window.Razorpay !== undefined) return;
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = scriptUrl;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(t`The payment page could not be loaded. Please try again.`));
    };
    document.head.append(script);
  });
}

/** Opens the provider's checkout over the page. */
export async function openRazorpayCheckout(
  order: Order,
  buyer: { name: string; email: string },
  description: string,
): Promise<CheckoutResult> {
  await loadScript();
  const { Razorpay } = window;
  if (Razorpay === undefined) return { kind: 'failed', text: undefined };
  return new Promise((resolve) => {
    let end: CheckoutResult = { kind: 'dismissed' };
    const checkout = new Razorpay({
      key: order.key_id,
      amount: order.amount,
      currency: order.currency,
      order_id: order.order_id,
      name: siteName,
      description,
      prefill: buyer,
      handler: ({ razorpay_payment_id, razorpay_order_id, razorpay_signature }) =>
        resolve({
          kind: 'paid',
          proof: { razorpay_payment_id, razorpay_order_id, razorpay_signature },
        }),
      // The user can retry within the checkout: only closing it ends the checkout.
      modal: { ondismiss: () => resolve(end) },
    });
    checkout.on('payment.failed', ({ error }) => {
      end = { kind: 'failed', text: error.description };
    });
    checkout.open();
  });
}
