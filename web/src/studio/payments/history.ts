import { plural, t } from '@lingui/core/macro';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../platform/api/client';
import type { HistoryLine } from '../../platform/api/types';
import { formatAmount, formatRupees } from '../../platform/amounts';

export const historyFailedText = (): string => t`Failed to load the payment history`;

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
        historyFailedText(),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
  });

/** The whole history as a CSV file. */
export const fetchHistoryFile = (): Promise<Blob> =>
  unwrapResponse(
    api.GET('/api/payments/history.csv', { parseAs: 'blob' }) as Promise<{ data?: Blob; response: Response }>,
    t`Failed to download the payment history`,
  );

/** The receipt of a payment as an HTML page. */
export const fetchReceipt = (payment_id: string, signal: AbortSignal): Promise<string> =>
  unwrapResponse(
    api.GET('/api/payments/receipts/{payment_id}', {
      params: { path: { payment_id } },
      parseAs: 'text',
      signal,
    }),
    t`Failed to load the receipt`,
  );

export interface InvoiceDocument {
  kind: 'invoice' | 'credit_note' | 'debit_note';
  payment_id: string;
  number: string;
}

/** What can be downloaded of a line: the invoice of a payment with the notes about refunds that came back, or the credit note of a refund. */
export function documentsOf({ kind, payment_id, invoice, notes }: HistoryLine): InvoiceDocument[] {
  if (typeof payment_id !== 'string') return [];
  const own = kind === 'refund' ? 'credit_note' : 'invoice';
  return [
    ...(typeof invoice === 'string' ? [{ kind: own, number: invoice } as const] : []),
    ...notes.map(
      (note) => ({ ...note, kind: note.kind === 'debit_note' ? 'debit_note' : 'credit_note' }) as const,
    ),
  ].map((each) => ({ ...each, payment_id }));
}

/** An invoice or a note as a file. */
export async function fetchInvoice({ kind, payment_id, number }: InvoiceDocument): Promise<NamedFile> {
  const name = `${number.replaceAll('/', '-')}.pdf`;
  const path = { payment_id };
  const options = { parseAs: 'blob' } as const;
  const answer =
    kind !== 'invoice'
      ? api.GET('/api/payments/{payment_id}/notes/{file}', {
          params: { path: { ...path, file: name } },
          ...options,
        })
      : api.GET('/api/payments/{payment_id}/invoice.pdf', { params: { path }, ...options });
  const blob = await unwrapResponse(
    answer as Promise<{ data?: Blob; response: Response }>,
    t`Failed to download the invoice`,
  );
  return { blob, name };
}

export interface NamedFile {
  blob: Blob;
  name: string;
}

const photosText = (count: number, event: string | null | undefined): string =>
  typeof event === 'string'
    ? plural(count, { one: `# photo, ${event}`, other: `# photos, ${event}` })
    : plural(count, { one: '# photo', other: '# photos' });

/** What a line of the history is about, in words. */
export function titleOf({ kind, credits, photos, event }: HistoryLine): string {
  switch (kind) {
    case 'signup':
      return t`Free credits to begin with`;
    case 'recharge':
      return t`Credits bought`;
    case 'doubling':
      return t`First recharge doubled`;
    case 'premium':
      return t`Premium plan`;
    case 'unused':
      return t`Payment that bought nothing`;
    case 'photos':
      return photosText(photos, event);
    case 'refund':
      return t`Refund`;
    case 'adjustment':
      return credits < 0 ? t`Credits taken by support` : t`Credits given by support`;
  }
}

/** What else is to be said about a line; null if nothing is. */
export function noteOf({ kind, missing, note, returned }: HistoryLine): string | null {
  if (kind === 'unused' && returned !== true) return t`It will be refunded`;
  if (missing > 0) {
    const amount = formatAmount(missing);
    return plural(missing, {
      one: `${amount} of its credits were spent already`,
      other: `${amount} of its credits were spent already`,
    });
  }
  return note ?? null;
}

/** '+100 credits', '−1 credit'; null if the balance did not change. */
export function creditsText({ credits }: HistoryLine): string | null {
  if (credits === 0) return null;
  const size = Math.abs(credits);
  const amount = `${credits < 0 ? '−' : '+'}${formatAmount(size)}`;
  return plural(size, { one: `${amount} credit`, other: `${amount} credits` });
}

/** 'Paid ₹100', 'Returned ₹100'; null if no money moved. */
export function paidText({ paid }: HistoryLine): string | null {
  if (paid === 0) return null;
  const amount = formatRupees(Math.abs(paid));
  return paid < 0 ? t`Returned ${amount}` : t`Paid ${amount}`;
}
