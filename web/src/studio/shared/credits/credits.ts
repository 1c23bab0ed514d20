import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { Credits } from '../../../platform/api/types';

export const creditsKey = ['credits'] as const;

/** The credit balance of the account, in rupees. */
export const creditsQuery = () =>
  queryOptions({
    queryKey: creditsKey,
    queryFn: ({ signal }): Promise<Credits> =>
      unwrapResponse(api.GET('/api/subscription/credits', { signal }), t`Failed to load dashboard data`),
  });
