import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { storedSelectedEvent } from '../../shared/storage';
import { listing } from '../../shared/testing/events';
import { anEvent } from '../../shared/testing/fixtures';
import { renderScreen, signIn } from '../../shared/testing/render';
import { errorResponse, json, mockServer } from '../../shared/testing/server';
import EventsPage from './EventsPage';

const user = userEvent.setup();
const route = 'PATCH /api/events/e1';
const sangeet = anEvent({
  description: 'In the garden',
  latest_expires_on: '2026-12-14',
  time_zone: 'Asia/Kolkata',
  cover_url: '/api/files/p1/medium',
});

beforeEach(signIn);

/** Opens the dialog of the event's card. */
async function edit(overrides: Parameters<typeof mockServer>[0] = {}) {
  const server = mockServer({
    ...listing(() => [sangeet]),
    [route]: ({ body }) => json({ ...sangeet, ...(body as object) }),
    ...overrides,
  });
  renderScreen(<EventsPage />, '/admin/events');
  const card = await screen.findByRole('article', { name: 'Sangeet' });
  await user.click(within(card).getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit event' }));
  const save = () => user.click(dialog.getByRole('button', { name: 'Save' }));
  return { server, dialog, save };
}

test('the dialog has what can be changed, and sends only what was', async () => {
  storedSelectedEvent.write({ id: 'e1', name: 'Sangeet', date: sangeet.date, slug: sangeet.slug });
  const { server, dialog, save } = await edit();
  for (const [label, value] of [
    ['Event name', 'Sangeet'],
    ['Event date', '2026-11-14'],
    ['Description', 'In the garden'],
    ['Photos are removed on', ''],
    ['Time zone', 'Asia/Kolkata'],
    ['PIN for guests', ''],
  ] as const) {
    expect(dialog.getByLabelText(label)).toHaveValue(value);
  }
  expect(dialog.getByText(/Without a day they are kept until 14 Dec 2026/)).toBeVisible();
  expect(dialog.getByRole('img', { name: 'The cover' })).toHaveAttribute('src', '/api/files/p1/medium');
  fireEvent.change(dialog.getByLabelText('Event name'), { target: { value: ' Ball ' } });
  fireEvent.change(dialog.getByLabelText('Photos are removed on'), { target: { value: '2026-12-10' } });
  await save();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([{ name: 'Ball', expires_on: '2026-12-10' }]);
  expect(screen.getByRole('article', { name: 'Ball' })).toBeVisible();
  expect(screen.getByText('The event is saved.')).toBeVisible();
  expect(storedSelectedEvent.read()?.name).toBe('Ball');
});

test('a description, a day and a cover can be taken away', async () => {
  const { server, dialog, save } = await edit();
  await user.click(dialog.getByRole('button', { name: 'Use the drawn sky' }));
  expect(dialog.queryByRole('img', { name: 'The cover' })).not.toBeInTheDocument();
  await user.clear(dialog.getByLabelText('Description'));
  await save();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([
    { description: null, cover_photo_id: null },
  ]);
});

test('the PIN is shown, changed and removed', async () => {
  const shown = { 'GET /api/events/e1/pin': () => json({ pin: '0042' }) };
  const withPin = { ...listing(() => [{ ...sangeet, asks_pin: true }]), ...shown };
  const { server, dialog, save } = await edit(withPin);
  const field = await dialog.findByLabelText('PIN for guests');
  expect(field).toHaveValue('0042');
  expect(field).toHaveAttribute('inputmode', 'numeric');
  await user.clear(field);
  await user.type(field, 'open');
  await save();
  expect(await dialog.findByText('The PIN must have 4 to 8 digits')).toBeVisible();
  expect(server.callsTo(route)).toHaveLength(0);
  await user.clear(field);
  await user.type(field, '4711');
  await save();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([{ pin: '4711' }]);
});

test('what guests can save is shown and changed', async () => {
  const { server, dialog, save } = await edit(listing(() => [{ ...sangeet, downloads: 'web' }]));
  const choices = within(dialog.getByRole('radiogroup', { name: 'Guests can save' }));
  expect(choices.getByRole('radio', { name: 'Web size alone, up to 2048 pixels' })).toBeChecked();
  await user.click(choices.getByRole('radio', { name: 'Nothing: they only look at photos' }));
  await save();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([{ downloads: 'none' }]);
});

test('an emptied PIN is removed', async () => {
  const asking = listing(() => [{ ...sangeet, asks_pin: true }]);
  const { server, dialog, save } = await edit({
    ...asking,
    'GET /api/events/e1/pin': () => json({ pin: '0042' }),
  });
  await user.clear(await dialog.findByLabelText('PIN for guests'));
  await save();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([{ pin: null }]);
});

test('without its PIN an event that asks for one is not edited', async () => {
  const { dialog } = await edit({
    ...listing(() => [{ ...sangeet, asks_pin: true }]),
    'GET /api/events/e1/pin': () => errorResponse(404, 'Event not found'),
  });
  expect(await dialog.findByText('Event not found')).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument();
});

test('without a change nothing is sent; a refusal is shown and the dialog stays', async () => {
  const refusal = 'Photos are not kept here until that day. Please choose an earlier one.';
  const { server, dialog, save } = await edit({
    [route]: () => errorResponse(400, refusal),
  });
  await user.clear(dialog.getByLabelText('Event name'));
  await save();
  expect(await dialog.findByText('Event name is required')).toBeVisible();
  await user.type(dialog.getByLabelText('Event name'), 'Sangeet');
  fireEvent.change(dialog.getByLabelText('Photos are removed on'), { target: { value: '2027-12-10' } });
  await save();
  expect(await dialog.findByText(refusal)).toBeVisible();
  fireEvent.change(dialog.getByLabelText('Photos are removed on'), { target: { value: '' } });
  await save();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(server.callsTo(route)).toHaveLength(1);
});

test('the card shows the chosen cover alone', async () => {
  mockServer(listing(() => [anEvent({ cover_url: '/api/files/p1/medium' })]));
  renderScreen(<EventsPage />, '/admin/events');
  const card = await screen.findByRole('article', { name: 'Sangeet' });
  const sources = [...card.querySelectorAll('img')].map((image) => image.getAttribute('src'));
  expect(sources).toEqual(['/api/files/p1/medium']);
});

// It recommends a PIN where the event has none.
test('a switch lets guests browse all photos, and says what that means', async () => {
  const { server, dialog, save } = await edit();
  const control = dialog.getByRole('switch', { name: 'Guests may browse all photos' });
  expect(control).not.toBeChecked();
  expect(control).toHaveAccessibleDescription(
    /^Everybody who has the link sees everybody's photos.*A PIN is recommended\./,
  );
  await user.click(control);
  await user.type(dialog.getByLabelText('PIN for guests'), '4711');
  expect(control).toHaveAccessibleDescription(
    /^Everybody who has the link and the PIN sees everybody's photos/,
  );
  await save();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([{ browsable: true, pin: '4711' }]);
});
