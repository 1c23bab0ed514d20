import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setLoginNavigation } from '../platform/api/authorizedFetch';
import { storedAccess, storedReturn, storedToken } from '../platform/storage/storage';
import { errorResponse, json } from '../testing/server';
import { openAccess } from './pin/access';
import {
  eventBody,
  eventRoute,
  mockFormServer,
  renderEventPage,
  searchHandlers,
  searchRoute,
  selfieFile,
} from './testing';

const user = userEvent.setup();
const slug = 'aanya-rohan';
const accessRoute = 'POST /api/face/access/aanya-rohan';
const asking = { [eventRoute]: () => json(eventBody({ asks_pin: true })) };
const wrongText = 'This is not the PIN of this event. Please check it and try again.';

const field = () => screen.findByRole('textbox', { name: 'PIN' });
const start = () => screen.findByRole('heading', { name: 'Find Your Photos' });

beforeEach(() => window.history.replaceState(null, '', `/event/${slug}`));
afterEach(() => {
  openAccess(slug, null);
  window.history.replaceState(null, '', '/');
});

test('the PIN is asked before the camera, and kept on this device', async () => {
  let right = false;
  const server = mockFormServer({
    ...searchHandlers(),
    ...asking,
    [accessRoute]: () =>
      right ? json({ access_token: 'proof' }) : errorResponse(403, wrongText, 'event_pin_wrong'),
  });
  const { unmount } = renderEventPage();
  expect(await field()).toHaveAttribute('inputmode', 'numeric');
  expect(screen.getByRole('heading', { level: 1, name: 'Aanya & Rohan' })).toBeVisible();
  expect(screen.getByRole('form', { name: 'Enter the PIN' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Open camera' })).not.toBeInTheDocument();
  expect(screen.queryByText('Sangeet night at the lake.')).not.toBeInTheDocument();

  await user.type(await field(), '1234');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(wrongText);
  expect(await field()).toHaveFocus();
  expect(await field()).toBeInvalid();
  expect(await field()).toHaveAccessibleDescription(wrongText);
  right = true;
  await user.clear(await field());
  await user.type(await field(), '4711{Enter}');
  expect(await start()).toBeVisible();
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Find Your Photos' })).toHaveFocus());
  expect(server.callsTo(accessRoute).map(({ body }) => body)).toEqual([{ pin: '1234' }, { pin: '4711' }]);
  expect(storedAccess(slug).read()).toBe('proof');

  await user.upload(screen.getByLabelText('upload a photo'), selfieFile());
  await waitFor(() => expect(server.callsTo(searchRoute)).toHaveLength(1));
  expect(server.callsTo(searchRoute)[0]?.headers.get('event-access')).toBe('proof');
  unmount();
});

test('what the event is about is asked for once the PIN is entered [EVT214]', async () => {
  mockFormServer({
    ...asking,
    [eventRoute]: ({ headers }) => {
      const isLetIn = headers.get('event-access') === 'proof';
      return json(eventBody({ asks_pin: true, description: isLetIn ? 'At the lake.' : null }));
    },
    [accessRoute]: () => json({ access_token: 'proof' }),
  });
  renderEventPage();
  await user.type(await field(), '4711{Enter}');
  expect(await start()).toBeVisible();
  expect(await screen.findByText('At the lake.')).toBeVisible();
});

test('a device that has entered it is not asked again, until the PIN changes', async () => {
  openAccess(slug, 'old');
  mockFormServer({
    ...searchHandlers(),
    ...asking,
    [searchRoute]: () =>
      errorResponse(403, 'Please enter the PIN of this event first.', 'event_pin_required'),
  });
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  expect(await field()).toBeVisible();
  expect(storedAccess(slug).read()).toBeNull();
});

test('[FACE558] whoever adds photos is asked for the PIN of today', async () => {
  openAccess(slug, 'old');
  const server = mockFormServer({
    [eventRoute]: () => json(eventBody({ asks_pin: true, takes_guest_photos: true })),
    'GET /api/face/guest-photos/aanya-rohan': () =>
      errorResponse(403, 'Please enter the PIN of this event first.', 'event_pin_required'),
  });
  renderEventPage();
  await user.click(await screen.findByRole('button', { name: 'Add your photos' }));
  expect(await field()).toBeVisible();
  expect(storedAccess(slug).read()).toBeNull();
  const [call] = server.callsTo('GET /api/face/guest-photos/aanya-rohan');
  expect(call?.headers.get('event-access')).toBe('old');
});

test('a PIN that is set while the page is open is asked for', async () => {
  mockFormServer({
    ...searchHandlers(),
    [accessRoute]: () => json({ access_token: 'proof' }),
    [searchRoute]: () =>
      errorResponse(403, 'Please enter the PIN of this event first.', 'event_pin_required'),
  });
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await user.type(await field(), '4711{Enter}');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'PIN' })).not.toBeInTheDocument());
});

test('what the server says is shown, and a PIN that is removed meanwhile opens the page', async () => {
  let asks = true;
  const answers = [
    errorResponse(429, 'Too many requests. Please try again in 60 minutes.'),
    json({ access_token: null }),
  ];
  mockFormServer({
    ...searchHandlers(),
    [eventRoute]: () => json(eventBody({ asks_pin: asks })),
    [accessRoute]: () => answers.shift() ?? json({}, 500),
  });
  renderEventPage();
  await user.type(await field(), '4711{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in 60 minutes.');
  asks = false;
  fireEvent.submit(screen.getByRole('form', { name: 'Enter the PIN' }));
  expect(await start()).toBeVisible();
});

test('[EVT133] [EVT134] a link with the PIN enters it, and the address loses it', async () => {
  window.history.replaceState(null, '', `/event/${slug}#pin=4711`);
  const server = mockFormServer({
    ...searchHandlers(),
    ...asking,
    [accessRoute]: () => json({ access_token: 'proof' }),
  });
  renderEventPage();
  expect(await start()).toBeVisible();
  expect(server.callsTo(accessRoute).map(({ body }) => body)).toEqual([{ pin: '4711' }]);
  expect(window.location.href).not.toContain('pin');
});

test('[EVT133] a link with an old PIN leads to the form', async () => {
  window.history.replaceState(null, '', `/event/${slug}#pin=4711`);
  mockFormServer({
    ...searchHandlers(),
    ...asking,
    [accessRoute]: () => errorResponse(403, wrongText, 'event_pin_wrong'),
  });
  renderEventPage();
  expect(await screen.findByRole('alert')).toHaveTextContent(wrongText);
  expect(await field()).toHaveValue('4711');
});

describe('on a device that is signed in', () => {
  const ownRoute = 'GET /api/events/event-1/pin';
  beforeEach(() => storedToken.write('a session'));
  afterEach(() => storedToken.remove());

  test('the photographer of the event is not asked for its PIN', async () => {
    const server = mockFormServer({
      ...asking,
      [ownRoute]: () => json({ pin: '0042' }),
      [accessRoute]: () => json({ access_token: 'proof' }),
    });
    renderEventPage();
    expect(await start()).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'PIN' })).not.toBeInTheDocument();
    expect(server.callsTo(accessRoute).map(({ body }) => body)).toEqual([{ pin: '0042' }]);
  });

  test('another photographer is', async () => {
    mockFormServer({ ...asking, [ownRoute]: () => errorResponse(404, 'Event not found', 'event_not_found') });
    renderEventPage();
    expect(await field()).toBeVisible();
  });

  test('[AUTH252] a session that has ended leaves the guest on the page, with the PIN of the link', async () => {
    const login = vi.fn();
    setLoginNavigation(login);
    window.history.replaceState(null, '', `/event/${slug}#pin=4711`);
    const server = mockFormServer({
      ...asking,
      [ownRoute]: () => errorResponse(401, 'Please log in to continue.'),
      [accessRoute]: () => json({ access_token: 'proof' }),
    });
    renderEventPage();
    expect(await start()).toBeVisible();
    expect(server.callsTo(accessRoute).map(({ body }) => body)).toEqual([{ pin: '4711' }]);
    expect(login).not.toHaveBeenCalled();
    expect(storedReturn.read()).toBeNull();
    expect(storedToken.read()).toBeNull();
  });
});
