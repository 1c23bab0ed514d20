import { t } from '@lingui/core/macro';
import { api, unwrapResponse } from '../../platform/api/client';

export const changeFailedText = (): string => t`This could not be done. Please try again.`;

export const verifyAccount = (id: string) =>
  unwrapResponse(
    api.POST('/api/administration/accounts/{id}/verify', { params: { path: { id } } }),
    changeFailedText(),
  );

export const lockAccount = (id: string, reason: string) =>
  unwrapResponse(
    api.POST('/api/administration/accounts/{id}/lock', {
      params: { path: { id } },
      body: { reason },
    }),
    changeFailedText(),
  );

export const unlockAccount = (id: string) =>
  unwrapResponse(
    api.POST('/api/administration/accounts/{id}/unlock', { params: { path: { id } } }),
    changeFailedText(),
  );

export interface CreditsChange {
  /** The same for each attempt at one change, so that it is made once. */
  key: string;
  /** Negative to take credits. */
  rupees: number;
  reason: string;
}

export const changeCredits = (id: string, body: CreditsChange) =>
  unwrapResponse(
    api.POST('/api/administration/accounts/{id}/credits', {
      params: { path: { id } },
      body,
    }),
    changeFailedText(),
  );

export const retryJob = (id: string) =>
  unwrapResponse(
    api.POST('/api/administration/jobs/{id}/retry', {
      params: { path: { id } },
    }),
    changeFailedText(),
  );

/** Has all failed jobs of a kind tried again, as many calls as that takes; returns how many there were. */
export async function retryJobs(kind: string): Promise<number> {
  let retried = 0;
  for (;;) {
    const answer = await unwrapResponse(
      api.POST('/api/administration/jobs/retry', { body: { kind } }),
      changeFailedText(),
    );
    retried += answer.retried;
    if (!answer.more) return retried;
  }
}

export const refundPayment = (payment_id: string) =>
  unwrapResponse(
    api.POST('/api/administration/payments/{payment_id}/refund', { params: { path: { payment_id } } }),
    changeFailedText(),
  );
