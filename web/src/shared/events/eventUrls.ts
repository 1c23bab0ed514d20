import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';

/** The address people reach the server at, without a slash at its end; null where it does not say. */
function parsePublicUrl(site: unknown): string | null {
  if (typeof site !== 'object' || site === null) return null;
  const { public_url } = site as Record<string, unknown>;
  return typeof public_url === 'string' && /^https?:\/\//.test(public_url)
    ? public_url.replace(/\/+$/, '')
    : null;
}

const publicUrlQuery = queryOptions({
  queryKey: ['public-url'],
  queryFn: async ({ signal }) =>
    parsePublicUrl(
      await answerOf(api.GET('/api/site', { signal }), 'The address of this site is not known.'),
    ),
  staleTime: Infinity,
});

/**
 * The page a guest opens: {host}/event/{slug}. The host is the one the server is known by; until it has said so, or
 * where it does not, the one this page came from. `settled` tells that the answer will not change.
 */
export function useEventUrl(slug: string): { url: string; settled: boolean } {
  const { data, isPending } = useQuery(publicUrlQuery);
  return { url: `${data ?? window.location.origin}/event/${slug}`, settled: !isPending };
}
