import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { errorResponse, json } from '../../testing/server';
import { match, mockFormServer } from '../testing';
import { PhotoMenu } from './PhotoMenu';
import type { Downloads } from './useDownloads';

const user = userEvent.setup();
const route = 'GET /api/photos/download-by-s3';

function openMenu() {
  const downloads = { method: 'file', download: vi.fn(), downloadWeb: vi.fn(), shareOne: vi.fn() };
  const photo = match(1, { size_bytes: 8_400_000 });
  render(<PhotoMenu match={photo} position={1} downloads={downloads as unknown as Downloads} />);
  return { downloads, photo };
}

const toggle = () => screen.getByRole('button', { name: 'More for photo 1' });

test('[DOWN089] offers the original and the web size with their sizes', async () => {
  mockFormServer({
    [route]: () =>
      json({ download_url: '/o', size_bytes: 8_400_000, web_url: '/w', web_size_bytes: 900_000 }),
  });
  const { downloads, photo } = openMenu();
  await user.click(toggle());
  expect(screen.getByRole('button', { name: 'Original, 8.0 MB' })).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Web size, 879 kB' }));
  expect(downloads.downloadWeb).toHaveBeenCalledWith(photo, 1);
  expect(screen.queryByRole('button', { name: /^Original/ })).not.toBeInTheDocument();
});

test('offers one of two sizes that are alike', async () => {
  let bytes = 7_600_000;
  mockFormServer({
    [route]: () => json({ download_url: '/o', size_bytes: 8_400_000, web_url: '/w', web_size_bytes: bytes }),
  });
  openMenu();
  await user.click(toggle());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.getByRole('button', { name: 'Original, 8.0 MB' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Web size/ })).not.toBeInTheDocument();
  // A smaller one is.
  bytes = 6_000_000;
  await user.click(toggle());
  await user.click(toggle());
  expect(await screen.findByRole('button', { name: /^Web size/ })).toBeVisible();
});

test('[DOWN089] offers the original while there is no web size, and says why the links are missing', async () => {
  mockFormServer({ [route]: () => errorResponse(503, 'The service is busy.') });
  const { downloads, photo } = openMenu();
  await user.click(toggle());
  expect(await screen.findByText('The service is busy.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Web size/ })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: /^Original/ }));
  expect(downloads.download).toHaveBeenCalledWith(photo, 1);
});

test('[DOWN089] shares one photo where the browser can', async () => {
  Object.assign(navigator, { canShare: () => true });
  try {
    mockFormServer({ [route]: () => json({ download_url: '/o' }) });
    const { downloads, photo } = openMenu();
    await user.click(toggle());
    await user.click(screen.getByRole('button', { name: 'Share' }));
    expect(downloads.shareOne).toHaveBeenCalledWith(photo);
  } finally {
    Reflect.deleteProperty(navigator, 'canShare');
  }
});
