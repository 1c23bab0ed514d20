import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../shared/api/client';
import type { HistoryLine } from '../../shared/api/types';
import { formatAmount, formatCount, formatRupees } from '../../shared/formats';

export const historyFailedText = 'Failed to load the payment history';

/** The history of the account's money, newest first. */
export const historyQuery = () =>
  infiniteQueryOptions({
    queryKey: ['payment-history'],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        api.GET('/api/payments/history', {
          params: { query: pageParam === null ? {} : { cursor: pageParam } },
          signal,
        }),
        historyFailedText,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
  });

/** The whole history as a CSV file. */
export const fetchHistoryFile = (): Promise<Blob> =>
  unwrapResponse(
    api.GET('/api/payments/history.csv', { parseAs: 'blob' }) as Promise<{ data?: Blob; response: Response }>,
    'Failed to download the payment history',
  );

/** The receipt of a payment as an HTML page. */
export const fetchReceipt = (payment_id: string, signal: AbortSignal): Promise<string> =>
  unwrapResponse(
    api.GET('/api/payments/receipts/{payment_id}', {
      params: { path: { payment_id } },
      parseAs: 'text',
      signal,
    }),
    'Failed to load the receipt',
  );

const photosOf = (count: number): string => `${formatCount(count)} ${count === 1 ? 'photo' : 'photos'}`;

/** What a line of the history is about, in words. */
export function titleOf({ kind, credits, photos, event }: HistoryLine): string {
  switch (kind) {
    case 'signup':
      return 'Free credits to begin with';
    case 'recharge':
      return 'Credits bought';
    case 'doubling':
      return 'First recharge doubled';
    case 'premium':
      return 'Premium plan';
    case 'unused':
      return 'Payment that bought nothing';
    case 'photos':
      return typeof event === 'string' ? `${photosOf(photos)}, ${event}` : photosOf(photos);
    case 'refund':
      return 'Refund';
    case 'adjustment':
      return credits < 0 ? 'Credits taken by support' : 'Credits given by support';
  }
}

/** What else is to be said about a line; null if nothing is. */
export function noteOf({ kind, missing, note }: HistoryLine): string | null {
  if (kind === 'unused') return 'It will be refunded';
  if (missing > 0) return `${formatAmount(missing)} of its credits were spent already`;
  return note ?? null;
}

const signed = (amount: string, value: number): string => (value > 0 ? `+${amount}` : amount);

/** '+100 credits', '−1 credit'; null if the balance did not change. */
export function creditsText({ credits }: HistoryLine): string | null {
  if (credits === 0) return null;
  const amount = `${credits < 0 ? '−' : ''}${formatAmount(Math.abs(credits))}`;
  return `${signed(amount, credits)} ${Math.abs(credits) === 1 ? 'credit' : 'credits'}`;
}

/** 'Paid ₹100', 'Returned ₹100'; null if no money moved. */
export function paidText({ paid }: HistoryLine): string | null {
  if (paid === 0) return null;
  return `${paid < 0 ? 'Returned' : 'Paid'} ${formatRupees(Math.abs(paid))}`;
}
