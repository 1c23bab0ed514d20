import { render, screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import { SnackbarProvider } from '../../ui/SnackbarProvider';
import { json } from '../../testing/server';
import { MatchGrid } from '../results/MatchGrid';
import { ShownPhotosContext } from '../results/shownPhotos';
import { mockFormServer } from '../testing';
import { SelectionPage } from './SelectionPage';

/** Each test has an address of its own: what is unsaved stays with it. */
let secret = '';
let number = 0;
export const path = () => `/api/selections/${secret}`;

export function newAddress(): void {
  number += 1;
  secret = `secret${number}`;
  Element.prototype.scrollIntoView = vi.fn();
}

export const photo = (at: number, mark: object = {}) => ({
  photo_id: `p${at}`,
  url: `https://photos.example/api/files/${at}?size=preview`,
  medium_url: null,
  thumbnail_url: `https://photos.example/api/files/${at}?size=thumbnail`,
  width: 600,
  height: 400,
  filename: `DSC_${at}.JPG`,
  color: null,
  chosen: false,
  comment: '',
  ...mark,
});

const choosing = (more: object = {}) => ({
  name: 'Asha',
  photo_limit: 2,
  due_on: '2026-12-12',
  is_over: false,
  is_done: false,
  total: 3,
  chosen: 1,
  ...more,
});

export const opened = (more: object = {}, selection: object | null = choosing(more)) =>
  json({ event_name: 'Sangeet', studio: null, selection });

type Handlers = Parameters<typeof mockFormServer>[0];

export function openPage(handlers: Handlers = {}, more: object = {}) {
  const server = mockFormServer({
    [`GET ${path()}`]: () => opened(more),
    [`GET ${path()}/photos`]: ({ url }) => {
      const all = [photo(1, { chosen: true, comment: 'Crop it' }), photo(2), photo(3)];
      const photos = url.searchParams.get('chosen') === 'true' ? all.slice(0, 1) : all;
      return json({ photos, next_cursor: null });
    },
    ...handlers,
  });
  render(
    <SnackbarProvider>
      <SelectionPage link={{ action: 'selection', token: secret }} grid={{ MatchGrid, ShownPhotosContext }} />
    </SnackbarProvider>,
  );
  return server;
}

export const mark = (at: number) => screen.findByRole('button', { name: `Choose photo ${at}` });
export const marked = (chosen: boolean, chosen_count: number, comment = '') =>
  json({ chosen, comment, chosen_count });
export const count = () => within(screen.getByRole('region', { name: 'Your choice' })).getByRole('status');
