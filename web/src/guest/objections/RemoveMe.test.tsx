import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { saveBlob } from '../../ui/saveFile';
import { errorResponse, json } from '../../testing/server';
import * as camera from '../capture/camera';
import { mockFormServer, oneFace, renderEventPage, searchHandlers, selfieFile } from '../testing';
import { REMOVAL_NOTICE_VERSION } from './notice';
import RemoveMe from './RemoveMe';

vi.mock('../../ui/saveFile');

const user = userEvent.setup();
const searching = 'POST /api/face/objections/aanya-rohan';
const asking = 'POST /api/face/objections';
const photo = (number: number) => ({
  photo_id: `photo-${number}`,
  filename: `DSC_${number}.JPG`,
  thumbnail_url: `https://photos.example/${number}`,
});
const preview = (overrides: object = {}) => ({
  photos: [photo(1), photo(2)],
  overruled: 0,
  faces: [oneFace],
  indexing: { indexed: 2, waiting: 0, total: 2 },
  token: 'sealed',
  live: true,
  ...overrides,
});

/** Opens the sheet and chooses a selfie. */
async function search(handlers: Parameters<typeof mockFormServer>[0]) {
  const server = mockFormServer(handlers);
  render(<RemoveMe slug="aanya-rohan" until={null} />);
  await user.click(await screen.findByRole('button', { name: 'Remove me from the photos' }));
  const sheet = screen.getByRole('dialog', { name: 'Remove me from the photos' });
  expect(within(sheet).getByRole('heading')).toHaveFocus();
  await user.upload(within(sheet).getByLabelText('upload a photo'), selfieFile());
  return server;
}

const hide = () => screen.getByRole('radio', { name: "Hide photos I'm in" });
const stop = () => screen.getByRole('radio', { name: 'Stop finding me' });

test('[FACE198] [FACE329] photos are hidden that the guest was shown, after a choice and a consent', async () => {
  const server = await search({
    [searching]: () => json(preview()),
    [asking]: () => json({ photos: 2, waits: false }, 201),
  });
  expect(await screen.findByText('We found you in 2 photos:')).toBeVisible();
  expect(screen.getByRole('img', { name: 'DSC_1.JPG' })).toHaveAttribute('src', photo(1).thumbnail_url);
  expect(hide()).not.toBeChecked();
  expect(stop()).not.toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  await user.click(hide());
  await user.click(screen.getByRole('button', { name: 'Hide 2 photos' }));
  expect(server.calls.filter(({ route }) => route === asking)).toHaveLength(0);
  const warning = 'You cannot undo this yourself. If you change your mind, ask the photographer: they can.';
  expect(screen.getByText(warning)).toBeVisible();
  await user.click(screen.getByRole('checkbox', { name: /^These are photos of me\./ }));
  await user.click(screen.getByRole('button', { name: 'Hide 2 photos' }));
  expect(await screen.findByText('These photos are hidden now. Nobody finds them any more.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Save receipt' })).not.toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Done' })).toHaveFocus());
  expect(screen.getByText(/^Changed your mind\? Ask the photographer, /)).toBeVisible();
  expect(server.calls.find(({ route }) => route === asking)?.body).toEqual({
    token: 'sealed',
    choice: 'hide',
    notice_version: REMOVAL_NOTICE_VERSION,
  });
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('[FACE503] what not being found can do and what it cannot is said before it is chosen', async () => {
  await search({ [searching]: () => json(preview()) });
  await screen.findByText('We found you in 2 photos:');
  expect(stop()).toHaveAccessibleDescription(
    /^Nobody finds you by your face any more, .* Results that were opened before lose these photos too\. What it cannot do: .* links that are open work for six hours at most, a blurred or dark photo of you may be missed/,
  );
  expect(stop()).not.toBeChecked();
});

test('[FACE513] where the photographer decides first, that is said', async () => {
  await search({
    [searching]: () => json(preview()),
    [asking]: () => json({ photos: 40, waits: true }, 201),
  });
  await screen.findByText('We found you in 2 photos:');
  expect(hide()).toHaveAccessibleDescription(/If these are many photos, the photographer decides first\.$/);
  await user.click(hide());
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Hide 2 photos' }));
  expect(
    await screen.findByText(/^These are so many photos that the photographer decides first/),
  ).toBeVisible();
  expect(screen.queryByText(/These photos are hidden now/)).not.toBeInTheDocument();
});

test('[FACE198] another choice needs its own consent, and gives a receipt', async () => {
  const server = await search({
    [searching]: () => json(preview()),
    [asking]: () => json({ photos: 2, waits: false, receipt: '{"jws": "e30"}' }, 201),
  });
  await screen.findByText('We found you in 2 photos:');
  await user.click(hide());
  await user.click(screen.getByRole('checkbox'));
  await user.click(stop());
  expect(screen.getByRole('checkbox', { name: /^I agree that an encrypted description/ })).not.toBeChecked();
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Stop finding me' }));
  expect(await screen.findByText('Nobody finds you by your face any more.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Save receipt' }));
  expect(saveBlob).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), 'deletion-receipt.json');
  expect(server.calls.find(({ route }) => route === asking)?.body).toMatchObject({ choice: 'stop_finding' });
});

test('[FACE198] without photos there is nothing to hide, and what the photographer has decided is said', async () => {
  await search({ [searching]: () => json(preview({ photos: [], overruled: 3 })) });
  expect(await screen.findByText('We found no photos of you.')).toBeVisible();
  expect(screen.getByText('The photographer has decided to show 3 more photos.')).toBeVisible();
  expect(screen.queryByRole('radio', { name: "Hide photos I'm in" })).not.toBeInTheDocument();
  expect(stop()).toBeVisible();
});

test.each([
  ['no face', errorResponse(422, 'No face found in the photo. Please try again.'), /^No face found/],
  ['too many requests', errorResponse(429, 'Too many requests. Please try again in 24 hours.'), /24 hours/],
  ['a proxy', new Response('<html>', { status: 502 }), /Please check your connection/],
])('[FACE198] %s is said, and another selfie can be taken', async (_, response, text) => {
  await search({ [searching]: () => response });
  expect(await screen.findByRole('alert')).toHaveTextContent(text);
  expect(screen.getByLabelText('upload a photo')).toBeEnabled();
});

test('[FACE198] a refused request keeps the choice', async () => {
  const refusal = errorResponse(
    409,
    'The photographer has decided on this before. Please ask the photographer.',
  );
  await search({ [searching]: () => json(preview()), [asking]: () => refusal });
  await screen.findByText('We found you in 2 photos:');
  await user.click(stop());
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Stop finding me' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The photographer has decided on this before. Please ask the photographer.',
  );
  expect(stop()).toBeChecked();
});

test('[FACE198] a guest who has not searched reaches it from the event page', async () => {
  Element.prototype.scrollIntoView = vi.fn();
  mockFormServer(searchHandlers());
  renderEventPage();
  expect(await screen.findByRole('button', { name: 'Remove me from the photos' })).toBeVisible();
});

test('[FACE328] at the end of the results it is a quiet button, and what was found is looked for again', async () => {
  Element.prototype.scrollIntoView = vi.fn();
  const server = mockFormServer({
    ...searchHandlers(),
    [searching]: () => json(preview()),
    [asking]: () => json({ photos: 2, waits: false }, 201),
  });
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
  const searches = () =>
    server.calls.filter(({ route }) => route.startsWith('POST /api/face/search/')).length;
  expect(searches()).toBe(1);
  await user.click(await screen.findByRole('button', { name: 'Remove me from the photos' }));
  const sheet = screen.getByRole('dialog', { name: 'Remove me from the photos' });
  // The selfie of the search is enough; none is asked for again.
  expect(within(sheet).queryByLabelText('upload a photo')).not.toBeInTheDocument();
  await user.click(within(sheet).getByRole('button', { name: 'Use the selfie of my search' }));
  await user.click(await screen.findByRole('radio', { name: "Hide photos I'm in" }));
  await user.click(within(sheet).getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Hide 2 photos' }));
  await screen.findByText('These photos are hidden now. Nobody finds them any more.');
  expect(searches()).toBe(1);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(searches()).toBe(2));
});

describe('a live capture', () => {
  const drawing = 'POST /api/face/objections/aanya-rohan/challenge';
  const drawn = (side: string) =>
    json({ side, challenge: `turn ${side}`, expires_at: '2026-11-27T10:00:00Z' });

  beforeEach(() => {
    Object.defineProperty(navigator, 'mediaDevices', {
      configurable: true,
      value: {
        getUserMedia: () => Promise.resolve({ active: true, getTracks: () => [{ stop: vi.fn() }] }),
        enumerateDevices: () => Promise.resolve([{ kind: 'videoinput' }, { kind: 'videoinput' }]),
      },
    });
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    let number = 0;
    vi.spyOn(camera, 'captureFrame').mockImplementation(() => {
      number += 1;
      return Promise.resolve(new File([`frame ${number}`], `frame-${number}`, { type: 'image/jpeg' }));
    });
  });

  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Take two photos' }));
    fireEvent.loadedData(await screen.findByLabelText('Camera preview'));
  };
  const take = () => user.click(screen.getByRole('button', { name: 'Take Photo' }));
  const start = async (handlers: Parameters<typeof mockFormServer>[0]) => {
    const server = mockFormServer(handlers);
    render(<RemoveMe slug="aanya-rohan" until={null} />);
    await user.click(await screen.findByRole('button', { name: 'Remove me from the photos' }));
    return server;
  };

  test.each(['left', 'right'])('[FACE519] is asked for in words, to the %s', async (side) => {
    const server = await start({ [drawing]: () => drawn(side), [searching]: () => json(preview()) });
    expect(
      screen.getByText(/It is no proof: a video of them held up to the camera may pass\.$/),
    ).toBeVisible();
    await open();
    const status = within(screen.getByRole('dialog', { name: 'Camera' })).getByRole('status');
    expect(status).toHaveTextContent('Photo 1 of 2: look straight into the camera.');
    // Another picture than that of this camera has no place here, nor has another camera.
    expect(screen.queryByRole('button', { name: 'Flip' })).not.toBeInTheDocument();
    await take();
    expect(status).toHaveTextContent(
      `Photo 2 of 2: turn your head a little to your ${side}, then take the photo.`,
    );
    await take();
    expect(await screen.findByText('We found you in 2 photos:')).toBeVisible();
    expect(screen.queryByText(/This photo was not taken here/)).not.toBeInTheDocument();
    const form = server.callsTo(searching)[0]?.form ?? {};
    expect(form['challenge']).toEqual([`turn ${side}`]);
    const names = [form['image'], form['turned_image']].map((files) => (files?.[0] as File).name);
    expect(names).toEqual(['frame-1', 'frame-2']);
  });

  test('[FACE519] what is amiss is said, and the side stays what it was', async () => {
    const refusal = 'In the second photo your head is turned too little. Please take both photos again.';
    const answers = [errorResponse(422, refusal), json(preview())];
    const sides = ['left', 'right'];
    const server = await start({
      [drawing]: () => drawn(sides.shift() ?? ''),
      [searching]: () => answers.shift() ?? errorResponse(500),
    });
    for (const text of [refusal, 'We found you in 2 photos:']) {
      await open();
      await take();
      expect(screen.getByText(/turn your head a little to your left/)).toBeVisible();
      await take();
      expect(await screen.findByText(text)).toBeVisible();
    }
    expect(server.callsTo(drawing)).toHaveLength(1);
    expect(server.callsTo(searching)).toHaveLength(2);
  });

  test('[FACE519] a side that cannot be drawn is said', async () => {
    await start({ [drawing]: () => new Response('<html>', { status: 502 }) });
    await user.click(screen.getByRole('button', { name: 'Take two photos' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/Please check your connection/);
    expect(screen.queryByLabelText('Camera preview')).not.toBeInTheDocument();
  });
});

test('[FACE519] without a live capture the photographer decides first, which is said before and after', async () => {
  await search({
    [searching]: () => json(preview({ live: false })),
    [asking]: () => json({ photos: 2, waits: true }, 201),
  });
  expect(
    await screen.findByText(/^This photo was not taken here, so the photographer decides first/),
  ).toBeVisible();
  await user.click(hide());
  await user.click(screen.getByRole('checkbox'));
  expect(screen.queryByRole('button', { name: 'Hide 2 photos' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Ask the photographer' }));
  expect(
    await screen.findByText(/Until then nothing changes: the photos stay, and you are found as before\.$/),
  ).toBeVisible();
  expect(screen.queryByText(/hidden now/)).not.toBeInTheDocument();
});

test('[FACE519] before a photo is chosen it is said that the photographer decides about it', async () => {
  mockFormServer({});
  render(<RemoveMe slug="aanya-rohan" until={null} />);
  await user.click(await screen.findByRole('button', { name: 'Remove me from the photos' }));
  expect(
    screen.getByText(/^With a photo that is not taken here the photographer decides first/),
  ).toBeVisible();
});
