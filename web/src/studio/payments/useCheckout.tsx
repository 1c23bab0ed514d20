import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Order } from '../../platform/api/types';
import { creditsKey } from '../shared/credits/credits';
import { useSession } from '../../platform/session/session';
import { type CheckoutResult, purchase } from './checkout';
import { openRazorpayCheckout } from './razorpay';
import { SandboxDialog } from './SandboxDialog';

const sandboxKey = 'sandbox';

interface SandboxCheckout {
  order: Order;
  resolve: (result: CheckoutResult) => void;
}

/**
 * Runs a purchase. `dialog` has to be rendered by the caller: the sandbox is part of the page. `confirming` is true
 * between the payment and its verification.
 */
export function useCheckout(description: string) {
  const client = useQueryClient();
  const { user } = useSession();
  const [sandbox, setSandbox] = useState<SandboxCheckout>();
  const [confirming, setConfirming] = useState(false);

  const openCheckout = (order: Order): Promise<CheckoutResult> =>
    order.key_id === sandboxKey
      ? new Promise((resolve) => setSandbox({ order, resolve }))
      : openRazorpayCheckout(order, { name: user?.name ?? '', email: user?.email ?? '' }, description);

  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: creditsKey }),
      client.invalidateQueries({ queryKey: ['analytics'] }),
    ]);
  const purchaseMutation = useMutation({
    mutationFn: (wanted: Parameters<typeof purchase>[0]) =>
      purchase(wanted, openCheckout, () => setConfirming(true)),
    onSettled: () => setConfirming(false),
    onSuccess: refresh,
    // The payment may have been credited. What failed is said at once: without a connection the refresh waits for it.
    onError: () => void refresh(),
  });

  const dialog: ReactNode = sandbox !== undefined && (
    <SandboxDialog
      order={sandbox.order}
      onResult={(result) => {
        setSandbox(undefined);
        sandbox.resolve(result);
      }}
    />
  );
  return { purchaseMutation, confirming, dialog };
}
