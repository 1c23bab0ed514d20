import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Photo } from '../../shared/api/types';
import { fetchPhotoPage, type PhotoPage, photosKey } from './api';

/** Milliseconds. */
const pollInterval = 4000;
/** Pages refetched per poll: large events are polled round-robin. */
const pagesPerPoll = 2;

type Pages = InfiniteData<PhotoPage, string | null>;

const isProcessing = ({ status }: Photo): boolean => status === 'processing';

/** The indices of the pages with processing photos to refetch in this round. */
export function pagesToPoll(pages: readonly PhotoPage[], round: number): number[] {
  const processing = pages.flatMap(({ photos }, index) => (photos.some(isProcessing) ? [index] : []));
  if (processing.length <= pagesPerPoll) return processing;
  return Array.from(
    { length: pagesPerPoll },
    (_, step) => processing[(round * pagesPerPoll + step) % processing.length] ?? 0,
  );
}

/** Refetches some pages and replaces them in the cache; if photos were added or deleted, all pages are refetched. */
async function refetchPages(
  client: QueryClient,
  eventId: string,
  round: number,
  signal: AbortSignal,
): Promise<void> {
  const queryKey = photosKey(eventId);
  const data = client.getQueryData<Pages>(queryKey);
  if (data === undefined) return;
  for (const index of pagesToPoll(data.pages, round)) {
    const before = data.pages[index];
    if (before === undefined) continue;
    const refetched = await fetchPhotoPage(eventId, data.pageParams[index] ?? null, signal);
    if (before.next_cursor !== refetched.next_cursor || before.total_count !== refetched.total_count) {
      await client.invalidateQueries({ queryKey });
      return;
    }
    client.setQueryData<Pages>(queryKey, (now) =>
      now !== undefined && now.pages[index] === before
        ? { ...now, pages: now.pages.with(index, refetched) }
        : now,
    );
  }
}

/** Polls for photos that are processing: only pages that contain some are refetched, a few at a time. */
export function usePollProcessing(eventId: string, pages: readonly PhotoPage[] | undefined): void {
  const client = useQueryClient();
  useQuery({
    queryKey: ['photos-poll', eventId],
    queryFn: async ({ signal }) => {
      const round = client.getQueryData<number>(['photos-poll', eventId]) ?? 0;
      await refetchPages(client, eventId, round, signal);
      return round + 1;
    },
    enabled: pages?.some(({ photos }) => photos.some(isProcessing)) === true,
    initialData: 0,
    staleTime: Infinity,
    refetchInterval: pollInterval,
  });
}
