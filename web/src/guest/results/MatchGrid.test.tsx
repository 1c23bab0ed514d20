import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { StrictMode } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { imageRetryPauses } from '../../ui/useImageLoad';
import type { DownloadStates } from '../downloads/downloads';
import { type Match, matchId } from '../search/matches';
import { match, matchList } from '../testing';
import type { Downloads } from '../downloads/useDownloads';
import { MatchGrid } from './MatchGrid';
import { type ShownPhotos, ShownPhotosContext } from './shownPhotos';

const rendered = vi.hoisted(() => [] as number[]);

// Each tile has one, and so counts with it how often it was rendered.
vi.mock('../downloads/DownloadButton', () => ({
  DownloadButton: ({ position, tabIndex }: { position: number; tabIndex?: number }) => {
    rendered.push(position);
    return (
      <button type="button" tabIndex={tabIndex}>
        Download photo {position}
      </button>
    );
  },
}));

function grid(
  matches: readonly Match[],
  {
    downloads: given,
    total = matches.length,
    albums = [],
    chosenIds = null,
    heartedIds = new Set(),
    ...handlers
  }: Partial<Parameters<typeof MatchGrid>[0] & Omit<ShownPhotos, 'downloads'>> & { downloads?: object } = {},
) {
  // New functions for each rendering, as the page's hooks return them.
  const downloads = {
    offered: 'original' as const,
    states: {},
    saved: new Set<string>(),
    download: () => undefined,
    cancel: () => undefined,
    ...given,
  } as unknown as Downloads;
  return (
    <ShownPhotosContext
      value={{
        label: 'Your Matched Photos',
        matches,
        albums,
        total,
        downloads,
        chosenIds,
        heartedIds,
        stackOf: () => undefined,
        onStack: () => undefined,
      }}
    >
      <MatchGrid
        focusId={null}
        onOpen={() => undefined}
        onFailed={() => undefined}
        onLoaded={() => undefined}
        {...handlers}
      />
    </ShownPhotosContext>
  );
}

const tile = (position: number, total: number) =>
  screen.getByRole('button', { name: new RegExp(`^Photo ${position} of ${total}`) });
const image = (position: number, total: number) =>
  tile(position, total).querySelector('img') as HTMLImageElement;

beforeEach(() => void rendered.splice(0));

describe('a tile whose image failed', () => {
  test('[FACE095] keeps its box, and is tried again by a tap', () => {
    const onOpen = vi.fn<(id: string) => void>();
    render(grid(matchList(3), { onOpen }));
    const failed = image(2, 3);
    const { style } = failed.closest('li') as HTMLElement;
    const box = [style.left, style.top, style.width, style.height];
    fireEvent.error(failed);
    expect(screen.getByText('Failed to load')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Photo 2 of 3. Failed to load. Try again' }));
    expect(onOpen).not.toHaveBeenCalled();
    expect(image(2, 3)).not.toBe(failed);
    fireEvent.load(image(2, 3));
    expect(screen.queryByText('Failed to load')).not.toBeInTheDocument();
    const after = (image(2, 3).closest('li') as HTMLElement).style;
    expect([after.left, after.top, after.width, after.height]).toEqual(box);
    fireEvent.click(tile(2, 3));
    expect(onOpen).toHaveBeenCalledExactlyOnceWith('photo-2');
  });

  test('[FACE095] is tried again a few times, with growing pauses', () => {
    vi.useFakeTimers();
    render(grid(matchList(3)));
    for (const pause of imageRetryPauses) {
      const failed = image(2, 3);
      fireEvent.error(failed);
      act(() => void vi.advanceTimersByTime(pause - 1));
      expect(image(2, 3)).toBe(failed);
      act(() => void vi.advanceTimersByTime(1));
      expect(image(2, 3)).not.toBe(failed);
    }
    const last = image(2, 3);
    fireEvent.error(last);
    act(() => void vi.advanceTimersByTime(3_600_000));
    expect(image(2, 3)).toBe(last);
    expect([...imageRetryPauses]).toEqual([...imageRetryPauses].sort((a, b) => a - b));
  });

  test('[FACE095] is tried again at once when the network is back', () => {
    render(grid(matchList(3)));
    const failed = image(2, 3);
    fireEvent.error(failed);
    fireEvent(window, new Event('online'));
    expect(image(2, 3)).not.toBe(failed);
  });

  test('is tried with the new link of a later search', () => {
    const { rerender } = render(grid(matchList(3)));
    fireEvent.error(image(2, 3));
    const renewed = matchList(3).map((each) => ({
      ...each,
      thumbnail_url: `${each.thumbnail_url ?? ''}&new`,
    }));
    rerender(grid(renewed));
    fireEvent.load(image(1, 3));
    expect(image(2, 3)).toHaveAttribute('src', '/api/files/2?size=thumbnail&new');
    expect(screen.queryByText('Failed to load')).not.toBeInTheDocument();
  });
});

describe('the images of a tile', () => {
  const portrait = match(1, { width: 4000, height: 6000, medium_url: '/api/files/1?size=medium' });

  test('[FACE096] are offered by their true widths', () => {
    render(grid([portrait, match(2)]));
    for (const position of [1, 2]) fireEvent.load(image(position, 2));
    expect(image(1, 2).srcset.split(', ')).toEqual([
      '/api/files/1?size=thumbnail 320w',
      '/api/files/1?size=medium 683w',
      '/api/files/1?size=preview 1365w',
    ]);
    expect(image(1, 2).sizes).toContain('100vw');
    expect(image(1, 2)).toHaveAttribute('fetchpriority', 'high');
  });

  test('without a size there is no width to offer', () => {
    render(grid([match(1, { width: 0, height: 0 })]));
    expect(image(1, 1)).not.toHaveAttribute('srcset');
    expect(image(1, 1)).toHaveAttribute('src', '/api/files/1?size=thumbnail');
  });

  test('[FACE096] have the color of the photo until they are loaded', () => {
    render(grid([match(1, { color: '#336699' })]));
    const box = image(1, 1).closest('div') as HTMLElement;
    expect(box).toHaveStyle({ backgroundColor: '#336699' });
    fireEvent.load(image(1, 1));
    expect(box.style.backgroundColor).toBe('');
  });
});

describe('on a slow line', () => {
  const loading = (total: number) =>
    Array.from({ length: total }, (_, at) => image(at + 1, total))
      .map((each, at) => (each.hasAttribute('src') ? at + 1 : null))
      .filter((position) => position !== null);

  test('the first photo comes alone, then two, then the rest, and the larger renditions with them', () => {
    render(grid(matchList(6).map((each) => ({ ...each, medium_url: '/api/files/m' }))));
    expect(loading(6)).toEqual([1]);
    expect(image(1, 6)).not.toHaveAttribute('srcset');
    fireEvent.load(image(1, 6));
    expect(loading(6)).toEqual([1, 2, 3]);
    fireEvent.load(image(3, 6));
    expect(loading(6)).toEqual([1, 2, 3]);
    fireEvent.load(image(2, 6));
    expect(loading(6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(image(1, 6).srcset).toContain('/api/files/m');
    expect(image(1, 6)).toHaveAttribute('data-loaded', 'true');
  });

  test('one that fails holds nobody up, and a larger rendition that fails leaves the small one', () => {
    render(grid(matchList(4)));
    fireEvent.error(image(1, 4));
    for (const position of [2, 3]) fireEvent.load(image(position, 4));
    expect(image(4, 4)).toHaveAttribute('src');
    expect(image(2, 4)).toHaveAttribute('srcset');
    fireEvent.error(image(2, 4));
    expect(image(2, 4)).not.toHaveAttribute('srcset');
    expect(image(2, 4)).toHaveAttribute('data-loaded', 'true');
  });
});

describe('the keyboard', () => {
  const stops = () =>
    [...screen.getByRole('list').querySelectorAll('button')].filter(({ tabIndex }) => tabIndex === 0);

  test('stops at one photo with its download, and arrows go from photo to photo', () => {
    render(grid(matchList(6)));
    expect(stops().map((each) => each.closest('li')?.dataset['photo'])).toEqual(['photo-1', 'photo-1']);
    act(() => tile(1, 6).focus());
    for (const [key, position] of [
      ['ArrowRight', 2],
      ['ArrowDown', 3],
      ['ArrowLeft', 2],
      ['End', 6],
      ['ArrowRight', 6],
      ['Home', 1],
      ['ArrowUp', 1],
    ] as const) {
      fireEvent.keyDown(document.activeElement as Element, { key });
      expect(tile(position, 6)).toHaveFocus();
    }
    fireEvent.keyDown(tile(1, 6), { key: 'End' });
    expect(stops().map((each) => each.closest('li')?.dataset['photo'])).toEqual(['photo-6', 'photo-6']);
  });

  test('the arrow ahead is the left one where the text runs to the left', () => {
    document.documentElement.dir = 'rtl';
    render(grid(matchList(3)));
    act(() => tile(1, 3).focus());
    fireEvent.keyDown(tile(1, 3), { key: 'ArrowLeft' });
    expect(tile(2, 3)).toHaveFocus();
    document.documentElement.dir = '';
  });
});

test('a photo’s name has its album', () => {
  const albums = [{ id: 'a', name: 'Ceremony' }];
  render(grid([match(1, { albums: ['a'] }), match(2)], { albums }));
  expect(screen.getByRole('button', { name: 'Photo 1 of 2, Ceremony' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Photo 2 of 2' })).toBeVisible();
});

test('[FACE097] a piece of a download renders the tile of its photo only', () => {
  const matches = matchList(100);
  const saved = new Set<string>();
  const page = (states: DownloadStates) =>
    grid(matches, {
      downloads: {
        offered: 'original',
        states,
        saved,
        download: () => undefined,
        cancel: () => undefined,
      },
    });
  const { rerender } = render(page({}));
  rendered.splice(0);
  for (let share = 0; share < 1; share += 0.1) rerender(page({ 'photo-7': { phase: 'downloading', share } }));
  expect(new Set(rendered)).toEqual(new Set([7]));
});

describe('more than 200 photos', () => {
  const many = matchList(1000);

  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 358, 600));
  });

  test('[FACE097] only those near the window are in the document, and each says its place among all', async () => {
    render(grid(many));
    await waitFor(() => expect(screen.getAllByRole('listitem').length).toBeGreaterThan(20));
    const items = screen.getAllByRole('listitem');
    expect(items.length).toBeLessThan(120);
    for (const [at, item] of items.entries()) {
      expect(item).toHaveAttribute('aria-posinset', String(at + 1));
      expect(item).toHaveAttribute('aria-setsize', '1000');
    }
  });

  test('[FACE097] the photo that the viewer ends with gets the focus, wherever it is', async () => {
    const { rerender } = render(grid(many));
    await waitFor(() => expect(screen.getAllByRole('listitem').length).toBeGreaterThan(20));
    expect(screen.queryByRole('img', { name: 'Photo 700 of 1000' })).not.toBeInTheDocument();
    rerender(grid(many, { focusId: matchId(many[699] as Match) }));
    await waitFor(() => expect(tile(700, 1000)).toHaveFocus());
  });

  test('the first ones hold nobody up once the guest has scrolled past them', async () => {
    const scrollTo = (y: number) => {
      vi.stubGlobal('scrollY', y);
      fireEvent.scroll(window);
    };
    const images = () => screen.getAllByRole<HTMLImageElement>('img', { name: /^Photo / });
    const loading = () => images().filter((each) => each.hasAttribute('src'));
    render(<StrictMode>{grid(matchList(260))}</StrictMode>);
    await waitFor(() => expect(screen.getAllByRole('listitem').length).toBeGreaterThan(20));
    await act(() => vi.dynamicImportSettled());
    expect(loading()).toEqual([image(1, 260)]);
    scrollTo(15_000);
    await waitFor(() => expect(screen.queryByRole('img', { name: 'Photo 1 of 260' })).toBeNull());
    expect(images().length).toBeGreaterThan(0);
    expect(loading()).toEqual(images());
    scrollTo(0);
  });

  test('200 are all in the document', () => {
    render(grid(matchList(200)));
    const list = screen.getByRole('list', { name: 'Your Matched Photos' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(200);
  });
});
