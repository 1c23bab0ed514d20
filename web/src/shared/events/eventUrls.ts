import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrapResponse } from '../api/client';

const publicUrlQuery = queryOptions({
  queryKey: ['public-url'],
  queryFn: async ({ signal }) => {
    const site = await unwrapResponse(
      api.GET('/api/site', { signal }),
      'The address of this site is not known.',
    );
    return site.public_url;
  },
  staleTime: Infinity,
});

/**
 * The page a guest opens: {host}/event/{slug}. The host is the one the server is known by; until it has said so, the
 * one this page came from. `settled` tells that the answer will not change.
 */
export function useEventUrl(slug: string): { url: string; settled: boolean } {
  const { data, isPending } = useQuery(publicUrlQuery);
  return { url: `${data ?? window.location.origin}/event/${slug}`, settled: !isPending };
}
