import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';
import type { Credits } from '../api/types';

export const creditsKey = ['credits'] as const;

/** What the account can still spend, in rupees. */
export const creditsQuery = () =>
  queryOptions({
    queryKey: creditsKey,
    queryFn: ({ signal }): Promise<Credits> =>
      answerOf(api.GET('/api/subscription/credits', { signal }), 'Failed to load dashboard data'),
  });
