import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { json } from '../testing/server';
import {
  eventBody,
  eventRoute,
  match,
  mockFormServer,
  renderEventPage,
  searchHandlers,
  selfieFile,
} from './testing';

const user = userEvent.setup();
const linksRoute = 'GET /api/photos/download-by-s3';
const saved: string[] = [];
const photos = [
  match(1, { s3_key: 'a/1.png', filename: 'DSC_1.PNG', size_bytes: 90 * 1_048_576 }),
  match(2, { s3_key: 'a/2.png', filename: 'DSC_2.PNG', size_bytes: 90 * 1_048_576 }),
];

beforeEach(() => {
  saved.length = 0;
  Element.prototype.scrollIntoView = vi.fn();
  URL.createObjectURL = vi.fn(() => 'blob:photo');
  URL.revokeObjectURL = vi.fn();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});

async function openResults(downloads: string) {
  const server = mockFormServer({
    ...searchHandlers({ matches: photos, downloadTokens: ['token'] }),
    [eventRoute]: () => json(eventBody({ downloads })),
    // As the photographer gets them.
    [linksRoute]: () =>
      json({
        download_url: '/api/files/1/original',
        web_url: '/api/files/1/shared-web',
        web_size_bytes: 900_000,
      }),
    'GET /api/files/1/shared-web': () => new Response('small'),
  });
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
  return server;
}

const openViewer = async () => {
  await user.click(screen.getByRole('button', { name: 'Photo 1 of 2' }));
  return within(await screen.findByRole('dialog', { name: 'Your Matched Photos' }));
};

test('with the web size alone, photos are saved as JPEG files of that size', async () => {
  await openResults('web');
  // The size of the original is not what is held in memory.
  await user.click(screen.getByRole('button', { name: 'Download photo 1' }));
  await waitFor(() => expect(saved).toEqual(['1-web.jpg']));
  await user.click(screen.getByRole('button', { name: 'Download All Photos (2)' }));
  await waitFor(() => expect(saved).toEqual(['1-web.jpg', 'photo-1.jpg', 'photo-2.jpg']));
  expect(await screen.findByRole('button', { name: 'Download all as one ZIP' })).toBeVisible();
  const viewer = await openViewer();
  await user.click(viewer.getByRole('button', { name: 'More for photo 1' }));
  expect(await viewer.findByRole('button', { name: 'Web size, 879 kB' })).toBeVisible();
  expect(viewer.queryByRole('button', { name: /^Original/ })).not.toBeInTheDocument();
});

test('without downloads photos are looked at, and nothing offers to save them', async () => {
  const server = await openResults('none');
  expect(screen.getByText('The photographer shows these photos without downloads.')).toBeVisible();
  const nothingSaves = () =>
    expect(screen.queryByRole('button', { name: /download|save|share|zip|choose/i })).not.toBeInTheDocument();
  nothingSaves();
  const viewer = await openViewer();
  nothingSaves();
  await user.click(viewer.getByRole('button', { name: 'More for photo 1' }));
  expect(viewer.getByRole('button', { name: "That's not me" })).toBeVisible();
  nothingSaves();
  expect(server.callsTo(linksRoute)).toHaveLength(0);
});

test('where originals are offered, nothing is said of it', async () => {
  await openResults('original');
  expect(screen.getByRole('button', { name: 'Download photo 1' })).toBeVisible();
  expect(screen.queryByText(/without downloads/)).not.toBeInTheDocument();
});
