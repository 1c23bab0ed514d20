import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { storedKeptSearch } from '../../platform/storage/keptSearchStorage';
import { errorResponse, json, mockServer } from '../../testing/server';
import { match, matchList, searchQuery, searchResult } from '../testing';
import KeepPhotos from './KeepPhotos';
import { KEEPING_NOTICE_VERSION, keepingNotice } from './notice';

const user = userEvent.setup();
const keepRoute = 'POST /api/face/search/aanya-rohan/keep';
const mailRoute = 'POST /api/face/results/mail';
const combineRoute = 'POST /api/face/download';
const stored = storedKeptSearch('aanya-rohan');
const rejected = [{ photo: 'photo-3', face: 'face-3' }];
const search = { query: searchQuery({ rejected }), result: searchResult({ matches: matchList(2) }) };
const button = (name: RegExp | string) => screen.getByRole('button', { name });

const shownWith = (downloadTokens: string[]) => searchResult({ matches: matchList(2), downloadTokens });

const show = (props: Partial<ComponentProps<typeof KeepPhotos>> = {}) =>
  render(
    <KeepPhotos
      slug="aanya-rohan"
      searchToken="sealed"
      shown={shownWith(['zip'])}
      search={search}
      mails
      renewDownloadTokens={() => Promise.resolve(null)}
      {...props}
    />,
  );

beforeEach(() => {
  document.documentElement.lang = 'pt-BR';
});

test('[FACE521] a consent of its own is needed, and what was shown is remembered', async () => {
  const server = mockServer({ [keepRoute]: () => json({ key: 'kept' }) });
  show();
  await user.click(button(/^Keep my photos on this/));
  await user.click(button('Keep my photos here'));
  expect(server.calls, 'nobody has agreed yet').toHaveLength(0);
  await user.click(screen.getByRole('checkbox', { name: new RegExp(keepingNotice().slice(0, 40)) }));
  await user.click(button('Keep my photos here'));
  expect(await screen.findByText(/^Your photos are kept here: /)).toBeVisible();
  expect(server.calls[0]?.body).toEqual({ token: 'sealed', notice_version: KEEPING_NOTICE_VERSION });
  const shown = { seen: ['photo-1', 'photo-2'], strictness: 'normal', rejected };
  expect(stored.read()).toMatchObject({ key: 'kept', notice: KEEPING_NOTICE_VERSION, ...shown });
});

test('what is kept of one person is not changed by the search of another', async () => {
  mockServer({ [keepRoute]: () => json({ key: 'kept' }) });
  const { rerender } = show();
  await user.click(button(/^Keep my photos on this/));
  await user.click(screen.getByRole('checkbox', { name: new RegExp(keepingNotice().slice(0, 40)) }));
  await user.click(button('Keep my photos here'));
  await screen.findByText(/^Your photos are kept here: /);
  const kept = stored.read();
  const showSearch = (next: ComponentProps<typeof KeepPhotos>['search']) =>
    rerender(
      <KeepPhotos
        slug="aanya-rohan"
        searchToken="sealed"
        shown={shownWith(['zip'])}
        search={next}
        mails
        renewDownloadTokens={() => Promise.resolve(null)}
      />,
    );
  showSearch({
    query: searchQuery({ strictness: 'loose' }),
    result: searchResult({ matches: [match(7)] }),
  });
  expect(stored.read()).toEqual(kept);
  // With one selfie more, what was kept is still adjusted.
  const selfies = [...search.query.selfies, ...searchQuery().selfies];
  const result = searchResult({ matches: matchList(3) });
  showSearch({ query: { ...search.query, selfies, strictness: 'loose' }, result });
  const seen = ['photo-1', 'photo-2', 'photo-3'];
  expect(stored.read()).toMatchObject({ key: 'kept', seen, strictness: 'loose', rejected });
});

test('what was kept before is adjusted by its own search alone', () => {
  const before = { key: 'earlier', seen: ['photo-9'], strictness: 'strict', rejected: [] };
  stored.write(before);
  show().unmount();
  expect(stored.read()).toEqual(before);
  const kept = () => Promise.resolve(search.result);
  show({ search: { ...search, query: searchQuery({ selfies: [], kept }) } });
  const seen = ['photo-1', 'photo-2'];
  expect(stored.read()).toEqual({ key: 'earlier', seen, strictness: 'normal', rejected: [] });
});

test('[FACE527] they are forgotten when the guest wants it', async () => {
  stored.write({ key: 'kept', seen: [] });
  show({ searchToken: null, shown: shownWith([]) });
  await user.click(button('Your photos are kept here'));
  await user.click(button('Forget me here'));
  expect(await screen.findByText('Nothing of you is kept here any more.')).toBeVisible();
  expect(localStorage.getItem('keptSearch:aanya-rohan')).toBeNull();
});

test('[FACE525] the link to them is mailed, once the address is right', async () => {
  let answer = () => errorResponse(400, 'Please enter a valid email address', 'email_invalid');
  const server = mockServer({ [mailRoute]: () => answer() });
  show();
  await user.click(button(/^Keep my photos on this/));
  await user.type(screen.getByRole('textbox', { name: 'Your e-mail address' }), ' guest@example.com');
  await user.click(button('Send me my link'));
  expect(await screen.findByText('Please enter a valid email address')).toBeVisible();
  answer = () => json({ success: true });
  await user.click(button('Send me my link'));
  expect(await screen.findByText('The link is on its way to guest@example.com.')).toBeVisible();
  expect(server.calls.at(-1)?.body).toEqual({ token: 'zip', email: 'guest@example.com', language: 'pt-BR' });
});

test('[FACE525] the link opens all photos where several tokens cover them', async () => {
  let answer = () => errorResponse(404, 'These links have run out');
  const server = mockServer({
    [combineRoute]: () => answer(),
    [mailRoute]: () => json({ success: true }),
  });
  show({ shown: shownWith(['zip', 'added']) });
  await user.click(button(/^Keep my photos on this/));
  await user.type(screen.getByRole('textbox', { name: 'Your e-mail address' }), 'guest@example.com');
  await user.click(button('Send me my link'));
  expect(await screen.findByText('These links have run out')).toBeVisible();
  expect(server.callsTo(mailRoute)).toHaveLength(0);
  answer = () => json({ download_token: 'combined' }, 201);
  await user.click(button('Send me my link'));
  expect(await screen.findByText('The link is on its way to guest@example.com.')).toBeVisible();
  const wanted = { tokens: ['zip', 'added'], photo_ids: ['photo-1', 'photo-2'] };
  expect(server.callsTo(combineRoute).at(-1)?.body).toEqual(wanted);
  expect(server.callsTo(mailRoute).map(({ body }) => body)).toMatchObject([{ token: 'combined' }]);
});

test('[GAL507] a link that has ended meanwhile is mailed with what a repeated search finds', async () => {
  const renewDownloadTokens = vi.fn(() =>
    Promise.resolve({ tokens: ['next'], photoIds: ['photo-1', 'photo-2'] }),
  );
  const mailed = ({ body }: { body: unknown }) =>
    JSON.stringify(body).includes('next')
      ? json({ success: true })
      : errorResponse(404, 'These links have run out');
  const server = mockServer({ [mailRoute]: mailed });
  show({ renewDownloadTokens });
  await user.click(button(/^Keep my photos on this/));
  await user.type(screen.getByRole('textbox', { name: 'Your e-mail address' }), 'guest@example.com');
  await user.click(button('Send me my link'));
  expect(await screen.findByText('The link is on its way to guest@example.com.')).toBeVisible();
  expect(renewDownloadTokens).toHaveBeenCalledOnce();
  expect(server.callsTo(mailRoute)).toHaveLength(2);
});

test('what cannot be done is not offered', () => {
  const { rerender } = show({ mails: false, searchToken: null });
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
  rerender(
    <KeepPhotos
      slug="aanya-rohan"
      searchToken={null}
      shown={shownWith(['zip'])}
      search={search}
      mails
      renewDownloadTokens={() => Promise.resolve(null)}
    />,
  );
  expect(button('Send me my link')).toBeVisible();
});
