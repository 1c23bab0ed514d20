import { useQuery } from '@tanstack/react-query';
import { siteQuery } from './site';

/** What the link of an event is made of. `guest_url` is there where its studio has a host of its own. */
export interface LinkedEvent {
  slug: string;
  guest_url?: string | null;
}

/**
 * The URL of the event page: {origin}/event/{slug}. The origin is the studio's own, or the server's public URL, or the page's own
 * until that is loaded. `settled`: the URL is final. With a PIN it is in the fragment, which no server sees.
 */
export function useEventUrl(
  { slug, guest_url: own }: LinkedEvent,
  pin: string | null = null,
): { url: string; settled: boolean } {
  const { data, isPending } = useQuery(siteQuery);
  const fragment = pin === null ? '' : `#pin=${pin}`;
  return {
    url: `${own ?? data?.public_url ?? window.location.origin}/event/${slug}${fragment}`,
    settled: own != null || !isPending,
  };
}
