import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';

const publicUrlQuery = queryOptions({
  queryKey: ['public-url'],
  queryFn: async ({ signal }) => {
    const site = await unwrapResponse(
      api.GET('/api/site', { signal }),
      // eslint-disable-next-line lingui/no-unlocalized-strings -- nobody sees it: the page's own address stands in
      'The address of this site is not known.',
    );
    return site.public_url;
  },
  staleTime: Infinity,
});

/**
 * The URL of the event page: {origin}/event/{slug}. The origin is the server's public URL, or the page's own until that
 * is loaded. `settled`: the URL is final. With a PIN it is in the fragment, which no server sees.
 */
export function useEventUrl(slug: string, pin: string | null = null): { url: string; settled: boolean } {
  const { data, isPending } = useQuery(publicUrlQuery);
  const fragment = pin === null ? '' : `#pin=${pin}`;
  return { url: `${data ?? window.location.origin}/event/${slug}${fragment}`, settled: !isPending };
}
