import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Photo } from '../../shared/api/types';
import { loadPage, type PhotoPage, photosKey } from './calls';

/** Milliseconds between two looks at photos whose faces are still being found. */
const watchInterval = 4000;
/** Pages asked for in one look: an event of thousands is gone through in turns, not all at once. */
const pagesAtOnce = 2;

type Pages = InfiniteData<PhotoPage, string | null>;

const isProcessing = ({ status }: Photo): boolean => status === 'processing';

/** The pages to look at in this turn, of those with photos in process. */
export function pagesToWatch(pages: readonly PhotoPage[], turn: number): number[] {
  const open = pages.flatMap(({ photos }, index) => (photos.some(isProcessing) ? [index] : []));
  if (open.length <= pagesAtOnce) return open;
  return Array.from(
    { length: pagesAtOnce },
    (_, step) => open[(turn * pagesAtOnce + step) % open.length] ?? 0,
  );
}

/** Loads some pages anew and puts them in their places; where photos came or went, all pages are loaded again. */
async function look(client: QueryClient, eventId: string, turn: number, signal: AbortSignal): Promise<void> {
  const queryKey = photosKey(eventId);
  const data = client.getQueryData<Pages>(queryKey);
  if (data === undefined) return;
  for (const index of pagesToWatch(data.pages, turn)) {
    const before = data.pages[index];
    if (before === undefined) continue;
    const fresh = await loadPage(eventId, data.pageParams[index] ?? null, signal);
    if (before.next_cursor !== fresh.next_cursor || before.total_count !== fresh.total_count) {
      await client.invalidateQueries({ queryKey });
      return;
    }
    client.setQueryData<Pages>(queryKey, (now) =>
      now !== undefined && now.pages[index] === before
        ? { ...now, pages: now.pages.with(index, fresh) }
        : now,
    );
  }
}

/** Keeps an eye on the photos in process: only pages that hold some are asked for, a few at a time. */
export function useWatch(eventId: string, pages: readonly PhotoPage[] | undefined): void {
  const client = useQueryClient();
  useQuery({
    queryKey: ['photos-watch', eventId],
    queryFn: async ({ signal }) => {
      const turn = client.getQueryData<number>(['photos-watch', eventId]) ?? 0;
      await look(client, eventId, turn, signal);
      return turn + 1;
    },
    enabled: pages?.some(({ photos }) => photos.some(isProcessing)) === true,
    initialData: 0,
    staleTime: Infinity,
    refetchInterval: watchInterval,
  });
}
