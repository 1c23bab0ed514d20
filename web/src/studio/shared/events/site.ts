import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';

/** What the operator has chosen for all events; it holds until the server is started again. */
export const siteQuery = queryOptions({
  queryKey: ['site-settings'],
  queryFn: async ({ signal }) =>
    unwrapResponse(api.GET('/api/site', { signal }), t`The site info could not be loaded`),
  staleTime: Infinity,
});
