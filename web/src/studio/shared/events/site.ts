import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';

/** What the operator has chosen for all events; it holds until the server is started again. */
export const siteQuery = queryOptions({
  queryKey: ['site-settings'],
  queryFn: async ({ signal }) =>
    unwrapResponse(
      api.GET('/api/site', { signal }),
      // eslint-disable-next-line lingui/no-unlocalized-strings -- nobody sees it: who asks does without
      'The settings of this site are not known.',
    ),
  staleTime: Infinity,
});
