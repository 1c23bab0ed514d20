import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Order } from '../../shared/api/types';
import { creditsKey } from '../../shared/credits/queries';
import { useSession } from '../../shared/session/session';
import { type CheckoutEnd, purchase } from './checkout';
import { openRazorpay } from './razorpay';
import { SandboxDialog } from './SandboxDialog';

const sandboxKey = 'sandbox';

interface OpenSandbox {
  order: Order;
  end: (end: CheckoutEnd) => void;
}

/**
 * Runs a purchase. `dialog` has to be drawn somewhere, for the sandbox is part of the page; `confirming` is true from
 * the payment to its verification.
 */
export function useCheckout(description: string) {
  const client = useQueryClient();
  const { user } = useSession();
  const [sandbox, setSandbox] = useState<OpenSandbox>();
  const [confirming, setConfirming] = useState(false);

  const openCheckout = (order: Order): Promise<CheckoutEnd> =>
    order.key_id === sandboxKey
      ? new Promise((end) => setSandbox({ order, end }))
      : openRazorpay(order, { name: user?.name ?? '', email: user?.email ?? '' }, description);

  const buying = useMutation({
    mutationFn: (wanted: Parameters<typeof purchase>[0]) =>
      purchase(wanted, openCheckout, () => setConfirming(true)),
    onSettled: () => setConfirming(false),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: creditsKey }),
        client.invalidateQueries({ queryKey: ['analytics'] }),
      ]);
    },
  });

  const dialog: ReactNode = sandbox !== undefined && (
    <SandboxDialog
      order={sandbox.order}
      onEnd={(end) => {
        setSandbox(undefined);
        sandbox.end(end);
      }}
    />
  );
  return { buying, confirming, dialog };
}
