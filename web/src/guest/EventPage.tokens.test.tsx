import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { storedSearch } from '../platform/storage/storage';
import { json } from '../testing/server';
import { mockFormServer, renderEventPage, searchBody, searchHandlers, searchResult } from './testing';

const user = userEvent.setup();
const combineRoute = 'POST /api/face/download';

test('a ZIP of chosen photos asks for the tokens alone that cover them', async () => {
  // [GAL506]
  const opened: string[] = [];
  Element.prototype.scrollIntoView = vi.fn();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    opened.push(this.pathname);
  });
  const { matches, ...rest } = searchBody(searchResult());
  // The first photo was in an earlier search alone, whose token has ended.
  const restored = matches.map((each, at) => (at === 0 ? { ...each, tokens: ['old'] } : each));
  storedSearch('aanya-rohan').write({
    ...rest,
    matches: restored,
    download_token: null,
    download_tokens: ['old', 'new'],
    receivedAt: Date.now(),
  });
  const server = mockFormServer({
    ...searchHandlers(),
    [combineRoute]: () => json({ download_token: 'made' }, 201),
    'HEAD /api/face/download/made.zip': () => new Response(null),
  });
  renderEventPage();
  await user.click(await screen.findByRole('button', { name: 'Choose photos' }));
  expect(screen.getByRole('button', { name: 'Download 0 as one ZIP' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Photo 2 of 3' }));
  await user.click(screen.getByRole('button', { name: 'Download 1 as one ZIP' }));
  await waitFor(() => expect(opened).toEqual(['/api/face/download/made.zip']));
  expect(server.callsTo(combineRoute).map(({ body }) => body)).toEqual([
    { tokens: ['new'], photo_ids: ['photo-2'] },
  ]);
});
