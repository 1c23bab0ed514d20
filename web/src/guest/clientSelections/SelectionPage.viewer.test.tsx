import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { json } from '../../testing/server';
import { newAddress, openPage, path, photo } from './testing';

const user = userEvent.setup();

beforeEach(() => {
  newAddress();
  // The page does not come near its end by itself.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  return () => vi.unstubAllGlobals();
});

const inStack = (place: number) => ({ stack: { id: 's', place } });

/** A list whose second page has a better photo of the stack of the second photo. */
const twoPages = () =>
  openPage(
    {
      [`GET ${path()}/photos`]: ({ url }) =>
        url.searchParams.get('cursor') === null
          ? json({ photos: [photo(1), photo(2, inStack(1)), photo(3)], next_cursor: 'p3' })
          : json({ photos: [photo(4, inStack(0)), photo(5)], next_cursor: null }),
    },
    { total: 5 },
  );

test('the viewer stays at its photo when a better one of its stack is loaded, and another can be opened after it [GAL502]', async () => {
  const { callsTo } = twoPages();
  await user.click(await screen.findByRole('button', { name: 'Photo 2 of 5' }));
  const viewer = await screen.findByRole('dialog', { name: 'Photos to choose from' });
  await waitFor(() => expect(callsTo(`GET ${path()}/photos`)).toHaveLength(2));
  // The better one, which is before it now.
  await waitFor(() => expect(within(viewer).getByRole('status')).toHaveTextContent('Photo 3 of 5'));
  expect(viewer).toBeInTheDocument();
  expect(within(viewer).getByText('DSC_2.JPG')).toBeInTheDocument();
  const shown = () =>
    screen.getAllByRole('listitem', { hidden: true }).map((item) => item.getAttribute('data-photo'));
  expect(shown()).toEqual(['p1', 'p4', 'p2', 'p3', 'p5']);
  fireEvent.keyDown(viewer.querySelector('.yarl__container') as HTMLElement, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: 'Photo 5 of 5' }));
  const again = await screen.findByRole('dialog', { name: 'Photos to choose from' });
  expect(within(again).getByText('DSC_5.JPG')).toBeInTheDocument();
});
