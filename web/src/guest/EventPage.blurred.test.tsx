import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json } from '../testing/server';
import {
  matchList,
  mockFormServer,
  renderEventPage,
  searchBody,
  searchHandlers,
  searchResult,
  searchRoute,
  selfieFile,
} from './testing';

const user = userEvent.setup();
const getUserMedia = vi.fn(() => Promise.resolve({ getTracks: () => [{ stop: vi.fn() }] }));

beforeEach(() => {
  // jsdom has no scrolling and no camera.
  Element.prototype.scrollIntoView = vi.fn();
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: { getUserMedia, enumerateDevices: () => Promise.resolve([]) },
  });
});

afterEach(() => {
  vi.useRealTimers();
});

test('a photo is not searched with once the camera has been closed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const black = { data: new Uint8ClampedArray(4), width: 1, height: 1 };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
    return { canvas: this, drawImage: () => undefined, getImageData: () => black } as never;
  } as never);
  const taken = vi
    .spyOn(HTMLCanvasElement.prototype, 'toBlob')
    .mockImplementation((done) => done(new Blob()));
  const server = mockFormServer(searchHandlers());
  renderEventPage();
  fireEvent.click(await screen.findByRole('button', { name: 'Open camera' }));
  const preview = await screen.findByLabelText('Camera preview');
  Object.defineProperties(preview, { videoWidth: { value: 640 }, videoHeight: { value: 480 } });
  await waitFor(() => expect(getUserMedia).toHaveBeenCalled());
  fireEvent.loadedData(preview);
  fireEvent.click(screen.getByRole('button', { name: 'Take Photo' }));
  fireEvent.click(screen.getByRole('button', { name: 'Close camera' }));
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(taken).toHaveBeenCalledOnce();
  expect(server.callsTo(searchRoute)).toHaveLength(0);
  expect(screen.getByRole('button', { name: 'Open camera' })).toBeVisible();
});

test.each([
  ['with photos', 3],
  ['without photos', 0],
])('a blurred selfie is called so, %s', async (_, count) => {
  const hint = /^Your selfie is a little blurred/;
  const { matches } = searchResult({ matches: matchList(count) });
  let blurred = true;
  mockFormServer({
    ...searchHandlers(),
    [searchRoute]: () => json(searchBody(searchResult({ matches, blurred }))),
  });
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  expect(await screen.findByText(hint)).toBeVisible();
  blurred = false;
  await user.click(screen.getByRole('button', { name: 'Search Again' }));
  await waitFor(() => expect(screen.queryByText(hint)).not.toBeInTheDocument());
  expect(await screen.findByRole('button', { name: 'Search Again' })).toBeVisible();
});
