import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../platform/api/client';
import type { Billing } from '../../platform/api/types';

export type BillingForm = Required<Billing>;

/** What is on the invoices to come. */
export const billingQuery = () =>
  queryOptions({
    queryKey: ['billing'],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/payments/billing', { signal }),
        t`The billing details could not be loaded.`,
      ),
  });

export const saveBilling = (body: BillingForm) =>
  unwrapResponse(
    api.PUT('/api/payments/billing', { body }),
    t`The billing details could not be saved. Please try again.`,
  );
