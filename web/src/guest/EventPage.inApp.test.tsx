import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import list from '../../public/in-app-browsers.json';
import { errorResponse, json } from '../testing/server';
import {
  mockFormServer,
  renderEventPage,
  searchBody,
  searchHandlers,
  searchResult,
  selfieFile,
} from './testing';

const user = userEvent.setup();
const opened: string[] = [];
const downloadUrlRoute = 'GET /api/photos/download-by-s3';
const combineRoute = 'POST /api/face/download';
const resultsRoute = 'POST /api/face/results';
const link = 'http://localhost:8080/event/aanya-rohan#results=combined';

const handlers = () => ({
  ...searchHandlers({ downloadTokens: ['token'] }),
  'GET /in-app-browsers.json': () => json(list),
  [combineRoute]: () => json({ download_token: 'combined' }, 201),
  [downloadUrlRoute]: () => json({ download_url: 'https://photos.example/api/files/events/1' }),
});

beforeEach(() => {
  opened.length = 0;
  Element.prototype.scrollIntoView = vi.fn();
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone) Mobile/15E148 WAiOS/2.26');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    opened.push(this.pathname);
  });
});

afterEach(() => {
  window.history.replaceState(null, '', '/');
});

async function openResults() {
  renderEventPage();
  expect(await screen.findByText(/You are in the browser inside WhatsApp/)).toBeVisible();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
}

test('[DOWN086] [DOWN087] saving in an in-app browser shows the way out, with a link to these results', async () => {
  const server = mockFormServer(handlers());
  await openResults();
  await user.click(screen.getByRole('button', { name: 'Download photo 1' }));
  const dialog = await screen.findByRole('dialog', { name: 'Save in your own browser' });
  expect(dialog).toHaveTextContent('The browser inside WhatsApp cannot save photos.');
  expect(screen.getByRole('link', { name: 'Open in my browser' })).toHaveAttribute(
    'href',
    `x-safari-${link}`,
  );
  expect(screen.getByText(/press and hold the photo/)).toBeVisible();
  expect(server.callsTo(combineRoute)[0]?.body).toEqual({
    tokens: ['token'],
    photo_ids: ['photo-1', 'photo-2', 'photo-3'],
  });
  expect(opened).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Try to save it here' }));
  expect(await screen.findByText('Sent to your browser.')).toBeVisible();
  expect(opened).toEqual(['/api/files/events/1']);
});

test('[DOWN088] the link can be copied, and is shown where copying is forbidden', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce(undefined);
  mockFormServer(handlers());
  await openResults();
  await user.click(screen.getByRole('button', { name: 'Download All Photos (3)' }));
  const copy = await screen.findByRole('button', { name: 'Copy link' });
  await user.click(copy);
  expect(write).toHaveBeenCalledWith(link);
  expect(await screen.findByText(/^Copied/)).toBeVisible();
  write.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
  await user.click(copy);
  expect(await screen.findByLabelText('Link to your photos')).toHaveValue(link);
});

test('[GAL508] the link is made with a repeated search where these results have ended meanwhile', async () => {
  let asked = 0;
  const gone = () => (++asked === 1 ? errorResponse(404) : json({ download_token: 'combined' }, 201));
  const server = mockFormServer({ ...handlers(), [combineRoute]: gone });
  await openResults();
  await user.click(screen.getByRole('button', { name: 'Download photo 1' }));
  const open = await screen.findByRole('link', { name: 'Open in my browser' });
  expect(open).toHaveAttribute('href', `x-safari-${link}`);
  expect(server.callsTo(combineRoute)).toHaveLength(2);
});

test('a link that cannot be made says so', async () => {
  mockFormServer({ ...handlers(), [combineRoute]: () => errorResponse(503) });
  await openResults();
  await user.click(screen.getByRole('button', { name: 'Download All Photos (3)' }));
  expect(await screen.findByText(/link to your photos could not be made/)).toBeVisible();
});

test('[DOWN087] [DOWN090] a link opens the results without a selfie, and takes its token out of the address', async () => {
  window.history.replaceState(null, '', '/event/aanya-rohan#results=combined');
  const server = mockFormServer({
    ...handlers(),
    [resultsRoute]: () => json(searchBody(searchResult({ faces: [], downloadTokens: ['combined'] }))),
  });
  renderEventPage();
  expect(await screen.findByRole('heading', { name: 'Your Matched Photos' })).toBeVisible();
  expect(server.callsTo(resultsRoute)[0]?.body).toEqual({ token: 'combined' });
  expect(window.location.hash).toBe('');
  expect(screen.queryByRole('button', { name: 'Search Again' })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Take New Photo' })).toBeVisible();
});

test('[DOWN087] a link that has expired says so', async () => {
  window.history.replaceState(null, '', '/event/aanya-rohan#results=old');
  mockFormServer({ ...handlers(), [resultsRoute]: () => errorResponse(404, 'This link has expired.') });
  renderEventPage();
  expect(await screen.findByText('This link has expired.')).toBeVisible();
  expect(await screen.findByLabelText('upload a photo')).toBeInTheDocument();
});
