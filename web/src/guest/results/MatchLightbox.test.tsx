import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { imageRetryPauses } from '../../ui/useImageLoad';
import type { Downloads } from '../downloads/useDownloads';
import type { Match } from '../search/matches';
import { match, matchList } from '../testing';
import MatchLightbox from './MatchLightbox';
import { ShownPhotosContext } from './shownPhotos';

const noDownloads = {
  method: 'file',
  states: {},
  saved: new Set<string>(),
  bulk: { phase: 'idle' },
} as unknown as Downloads;
const showing = (matches: readonly Match[], viewer: ReactNode) => (
  <ShownPhotosContext
    value={{
      label: 'Your Matched Photos',
      matches,
      albums: [],
      total: matches.length,
      downloads: noDownloads,
      heartedIds: new Set(),
      chosenIds: null,
      stackOf: () => undefined,
      onStack: () => undefined,
    }}
  >
    {viewer}
  </ShownPhotosContext>
);
const dialog = () => screen.findByRole('dialog', { name: 'Your Matched Photos' });
const photo = (position: number) => screen.getByRole('img', { name: `Photo ${position} of 3` });
const failedText = 'This photo could not be loaded in full.';

async function open(matches: readonly Match[] = matchList(3), startId = 'photo-2') {
  const onClose = vi.fn<() => void>();
  const onShow = vi.fn<(id: string) => void>();
  const element = (of: readonly Match[]) =>
    showing(
      of,
      <MatchLightbox
        startId={startId}
        onHeart={() => undefined}
        actionsOf={() => []}
        onShow={onShow}
        onClose={onClose}
      />,
    );
  const view = render(element(matches));
  await dialog();
  return { onClose, onShow, show: (of: readonly Match[]) => view.rerender(element(of)) };
}

describe('the photo in sight', () => {
  test('has the name of its file, by which its photographer finds it [GAL411]', async () => {
    await open([match(1, { filename: 'DSC_0123.JPG' }), match(2, { filename: null })], 'photo-1');
    expect(screen.getByText('DSC_0123')).toBeVisible();
  });

  test('[FACE091] is shown at once by what its tile loaded, and in full as soon as that is there', async () => {
    const loaded = new Map([['photo-2', '/api/files/2?size=medium']]);
    render(
      showing(
        matchList(3),
        <MatchLightbox
          startId="photo-2"
          loaded={loaded}
          onHeart={() => undefined}
          actionsOf={() => []}
          onShow={() => undefined}
          onClose={() => undefined}
        />,
      ),
    );
    await dialog();
    const box = photo(2).parentElement as HTMLElement;
    expect(box.style.backgroundImage).toContain('/api/files/2?size=medium');
    expect(box).toHaveAttribute('data-loaded', 'false');
    expect(photo(2)).toHaveAttribute('src', '/api/files/2?size=preview');
    expect(screen.getByRole('progressbar', { name: 'Loading photo' })).toBeInTheDocument();
    fireEvent.load(photo(2));
    expect(box).toHaveAttribute('data-loaded', 'true');
    expect(box.style.backgroundImage).toBe('');
    expect(screen.queryByRole('progressbar')).not.toBeInTheDocument();
  });

  test('is loaded before its neighbours', async () => {
    await open();
    expect(photo(2)).toHaveAttribute('src');
    const neighbours = [1, 3].map(photo);
    for (const each of neighbours) expect(each).not.toHaveAttribute('src');
    fireEvent.load(photo(2));
    for (const each of neighbours) expect(each).toHaveAttribute('src');
  });

  test('[FACE091] has the thumbnail and the color of a photo whose tile was not in sight', async () => {
    await open([match(1), match(2, { color: '#336699' }), match(3)]);
    const box = photo(2).parentElement as HTMLElement;
    expect(box.style.backgroundImage).toContain('/api/files/2?size=thumbnail');
    expect(box).toHaveStyle({ backgroundColor: '#336699' });
  });

  test('[FACE091] that cannot be loaded keeps its thumbnail, and says so', async () => {
    await open();
    fireEvent.error(photo(2));
    expect(screen.getByText(failedText)).toBeVisible();
    const box = photo(2).parentElement as HTMLElement;
    expect(box.style.backgroundImage).toContain('/api/files/2?size=thumbnail');
    expect(screen.getByRole('status')).toHaveTextContent('Photo 2 of 3, could not be loaded in full');
    const failed = photo(2);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(photo(2)).not.toBe(failed);
    fireEvent.load(photo(2));
    expect(screen.queryByText(failedText)).not.toBeInTheDocument();
    expect(screen.getByRole('status')).toHaveTextContent(/^Photo 2 of 3$/);
  });

  test('[FACE091] is tried again by itself: after a pause, and when the network is back', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await open();
    let failed = photo(2);
    fireEvent.error(failed);
    await act(() => vi.advanceTimersByTimeAsync(imageRetryPauses[0] + 100));
    expect(photo(2)).not.toBe(failed);
    failed = photo(2);
    fireEvent.error(failed);
    fireEvent(window, new Event('online'));
    expect(photo(2)).not.toBe(failed);
  });

  test('is not loaded again with the renewed link of a later search', async () => {
    const { show } = await open();
    fireEvent.load(photo(2));
    const renewed = matchList(3).map((each) => ({ ...each, url: `${each.url}&expires=later` }));
    show(renewed);
    expect(photo(2)).toHaveAttribute('src', '/api/files/2?size=preview');
    expect(photo(2).parentElement).toHaveAttribute('data-loaded', 'true');
  });
});

test('[FACE443] [FACE444] its place is announced, and the keyboard turns the pages and closes', async () => {
  const { onClose, onShow } = await open();
  const viewer = await dialog();
  const status = within(viewer).getByRole('status');
  expect(status).toHaveTextContent('Photo 2 of 3');
  expect(viewer.querySelector('.yarl__carousel')).toHaveAttribute('aria-live', 'off');
  const stage = viewer.querySelector('.yarl__container') as HTMLElement;
  fireEvent.keyDown(stage, { key: 'ArrowRight' });
  await waitFor(() => expect(status).toHaveTextContent('Photo 3 of 3'));
  fireEvent.keyDown(stage, { key: 'Escape' });
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(onShow).toHaveBeenLastCalledWith('photo-3');
});
