import { useQuery } from '@tanstack/react-query';
import { siteQuery } from './site';

/**
 * The URL of the event page: {origin}/event/{slug}. The origin is the server's public URL, or the page's own until that
 * is loaded. `settled`: the URL is final. With a PIN it is in the fragment, which no server sees.
 */
export function useEventUrl(slug: string, pin: string | null = null): { url: string; settled: boolean } {
  const { data, isPending } = useQuery(siteQuery);
  const fragment = pin === null ? '' : `#pin=${pin}`;
  return {
    url: `${data?.public_url ?? window.location.origin}/event/${slug}${fragment}`,
    settled: !isPending,
  };
}
