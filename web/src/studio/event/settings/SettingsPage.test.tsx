import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Event } from '../../../platform/api/types';
import { delay } from '../../../platform/delay';
import { storedSelectedEvent } from '../../../platform/storage/storage';
import { anEvent } from '../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../testing/render';
import { errorResponse, json, mockServer } from '../../../testing/server';
import { SettingsPage } from './SettingsPage';

const user = userEvent.setup();
const route = 'PATCH /api/events/e1';
const saved = 'The event is saved.';
const sangeet = anEvent({
  description: 'In the garden',
  latest_expires_on: '2026-12-14',
  time_zone: 'Asia/Kolkata',
  cover_url: '/api/files/p1/medium',
});

beforeEach(signIn);
afterEach(() => void vi.useRealTimers());

/** What the server knows of an event after a change. */
const changed = (event: Event, changes: Record<string, unknown>): Event => {
  const { pin, cover_photo_id, tells_guests, ...same } = changes;
  return {
    ...event,
    ...same,
    ...(pin !== undefined && { asks_pin: pin !== null }),
    ...(cover_photo_id !== undefined && { cover_url: null }),
    ...(tells_guests !== undefined && { tells_guests: tells_guests === true ? 'on' : 'off' }),
  };
};

async function open(overrides: Partial<Event> = {}, more: Parameters<typeof mockServer>[0] = {}) {
  let event = { ...sangeet, ...overrides };
  const server = mockServer({
    'GET /api/events/search': () => json({ events: [event], next_cursor: null }),
    'GET /api/objections': () => json({ objections: [] }),
    'GET /api/site': () =>
      json({ public_url: '', retention_days: 30, retention_options: [30, 90, 180, 365] }),
    [route]: ({ body }) => {
      event = changed(event, body as Record<string, unknown>);
      return json(event);
    },
    ...more,
  });
  renderEventScreen(
    <SettingsPage team={<p>the team</p>} people={<p>the people</p>} />,
    '/admin/settings?event=e1',
  );
  await screen.findByRole('heading', { name: 'The event' });
  return { server, sent: () => server.callsTo(route).map(({ body }) => body) };
}

/** Opens the dialog of a setting. */
async function change(name: string) {
  await user.click(await screen.findByRole('button', { name: `Change ${name}` }));
  const dialog = within(await screen.findByRole('dialog', { name }));
  return {
    dialog,
    field: dialog.getByLabelText(name),
    save: () => user.click(dialog.getByRole('button', { name: 'Save' })),
  };
}

test('every setting has its row, and those of other features their place', async () => {
  await open();
  for (const name of [
    'Event name',
    'Event date',
    'Time zone',
    'Description',
    'PIN for guests',
    'Photos are removed on',
  ])
    expect(screen.getByRole('button', { name: `Change ${name}` })).toBeVisible();
  expect(screen.getByText('In the garden')).toBeVisible();
  expect(screen.getByText('Saturday, 14 November 2026, Asia/Kolkata')).toBeVisible();
  expect(screen.getByRole('img', { name: 'The cover' })).toHaveAttribute('src', '/api/files/p1/medium');
  expect(screen.getByText(/Without a day they are kept until 14 Dec 2026/)).toBeVisible();
  expect(screen.getByText('the team')).toBeVisible();
  expect(screen.getByText('the people')).toBeVisible();
  const groups = within(screen.getByRole('navigation', { name: 'Settings', hidden: true }));
  expect(groups.getAllByRole('link', { hidden: true }).map((link) => link.textContent)).toEqual([
    'The event',
    'What guests can do',
    'Uploads',
    'Team',
    'Keeping',
  ]);
});

test('a name is saved by itself, everywhere, and taken back', async () => {
  const { sent } = await open();
  const { field, save } = await change('Event name');
  expect(field).toHaveValue('Sangeet');
  fireEvent.change(field, { target: { value: ' Ball ' } });
  await save();
  expect(await screen.findByText(saved)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByRole('heading', { level: 1, name: 'Ball' })).toBeVisible();
  expect(storedSelectedEvent.read()?.name).toBe('Ball');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Sangeet' })).toBeVisible();
  expect(screen.getByText('The event is as it was.')).toBeVisible();
  expect(sent()).toEqual([{ name: 'Ball' }, { name: 'Sangeet' }]);
});

test('a name is required, and without a change nothing is sent', async () => {
  const { sent } = await open();
  const { dialog, field, save } = await change('Event name');
  await user.clear(field);
  await save();
  expect(await dialog.findByText('Event name is required')).toBeVisible();
  await user.type(field, 'Sangeet');
  await save();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(sent()).toEqual([]);
});

test('a refusal is shown where the value was entered, and the dialog stays', async () => {
  const refusal = 'Photos are not kept here until that day. Please choose an earlier one.';
  await open({}, { [route]: () => errorResponse(400, refusal) });
  const { dialog, field, save } = await change('Photos are removed on');
  fireEvent.change(field, { target: { value: '2027-12-10' } });
  await save();
  expect(await dialog.findByText(refusal)).toBeVisible();
});

test('the first day of removal that is offered is one where the event takes place [EVT215]', async () => {
  // Ten past midnight in India.
  vi.setSystemTime('2026-11-20T18:40:00Z');
  await open();
  const { field } = await change('Photos are removed on');
  expect(field).toHaveAttribute('min', '2026-11-29');
});

test('a cover that nobody has chosen is changed by one action, or taken away for good [EVT164]', async () => {
  const { sent } = await open({ cover_is_automatic: true, cover_url: '/files/a' });
  expect(screen.getByText(/Afterglow has chosen it/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Change cover' })).toHaveAttribute(
    'href',
    '/admin/gallery?event=e1',
  );
  await user.click(screen.getByRole('button', { name: 'Use the drawn sky' }));
  await waitFor(() => expect(sent()).toEqual([{ cover_photo_id: null }]));
});

test('a description, a day and a cover can be taken away', async () => {
  const { sent } = await open({ expires_on: '2026-12-10' });
  await user.click(screen.getByRole('button', { name: 'Use the drawn sky' }));
  await waitFor(() => expect(screen.queryByRole('img', { name: 'The cover' })).not.toBeInTheDocument());
  for (const name of ['Description', 'Photos are removed on']) {
    const { field, save } = await change(name);
    fireEvent.change(field, { target: { value: '' } });
    await save();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  }
  expect(sent()).toEqual([{ cover_photo_id: null }, { description: null }, { expires_on: null }]);
});

test('the time that photos are kept is changed, and set back to what counts here [EVT168]', async () => {
  const { sent } = await open({ keep_days: 45 });
  const longer = await change('Keep photos for');
  expect(screen.getByText('45 days', { selector: ':not(option)' })).toBeVisible();
  expect(longer.dialog.getAllByRole('option').map((option) => option.textContent)).toEqual([
    '45 days',
    '30 days',
    '3 months',
    '6 months',
    '1 year',
  ]);
  await user.selectOptions(longer.field, '6 months');
  await longer.save();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByText('6 months')).toBeVisible();
  const own = await change('Keep photos for');
  await user.selectOptions(own.field, '30 days');
  await own.save();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(sent()).toEqual([{ keep_days: 180 }, { keep_days: null }]);
});

test('a longer time than is allowed is refused where it was chosen [EVT168]', async () => {
  const refusal = 'Photos are not kept here for that long. Please choose a shorter time.';
  await open({}, { [route]: () => errorResponse(400, refusal) });
  const { dialog, field, save } = await change('Keep photos for');
  await user.selectOptions(field, '1 year');
  await save();
  expect(await dialog.findByText(refusal)).toBeVisible();
});

test('the PIN is shown, changed and removed', async () => {
  let pin: string | null = '0042';
  const { sent } = await open(
    { asks_pin: true },
    {
      'GET /api/events/e1/pin': () => json({ pin }),
      [route]: ({ body }) => {
        ({ pin } = body as { pin: string | null });
        return json({ ...sangeet, asks_pin: pin !== null });
      },
    },
  );
  expect(await screen.findByText('0042')).toBeVisible();
  const first = await change('PIN for guests');
  expect(first.field).toHaveValue('0042');
  expect(first.field).toHaveAttribute('inputmode', 'numeric');
  await user.clear(first.field);
  await user.type(first.field, 'open');
  await first.save();
  expect(await first.dialog.findByText('The PIN must have 6 to 8 digits')).toBeVisible();
  expect(sent()).toEqual([]);
  await user.clear(first.field);
  await user.type(first.field, '471147');
  await first.save();
  expect(await screen.findByText('471147')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  const second = await change('PIN for guests');
  await user.clear(second.field);
  await second.save();
  await waitFor(() => expect(sent()).toEqual([{ pin: '471147' }, { pin: null }]));
});

test('without its PIN an event that asks for one keeps it', async () => {
  await open({ asks_pin: true }, { 'GET /api/events/e1/pin': () => errorResponse(404, 'Event not found') });
  expect(await screen.findByText('Event not found')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Change PIN for guests' })).toBeDisabled();
});

test('what guests can save is shown and changed', async () => {
  const { sent } = await open({ downloads: 'web' });
  const choices = within(screen.getByRole('radiogroup', { name: 'Guests can save' }));
  expect(choices.getByRole('radio', { name: 'Web size alone, up to 2048 pixels' })).toBeChecked();
  const nothing = choices.getByRole('radio', { name: 'Nothing: they only look at photos' });
  await user.click(nothing);
  await waitFor(() => expect(nothing).toBeChecked());
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent()).toEqual([{ downloads: 'none' }, { downloads: 'web' }]));
});

test('browsing says what it means, and recommends a PIN where there is none', async () => {
  await open();
  const control = screen.getByRole('switch', { name: 'Guests may browse all photos' });
  expect(control).not.toBeChecked();
  expect(control).toHaveAccessibleDescription(
    /^Everybody who has the link sees everybody's photos.*A PIN is recommended\./,
  );
  await user.click(control);
  await waitFor(() => expect(control).toBeChecked());
  // The header says at once what guests see.
  expect(screen.getByRole('button', { name: 'Guests: all photos' })).toBeVisible();
});

test('browsing with a PIN', async () => {
  await open({ asks_pin: true }, { 'GET /api/events/e1/pin': () => json({ pin: '0042' }) });
  expect(screen.getByRole('switch', { name: 'Guests may browse all photos' })).toHaveAccessibleDescription(
    /^Everybody who has the link and the PIN sees everybody's photos/,
  );
});

test.each([
  ['Guests get originals with location and serial numbers', 'keeps_metadata', false],
  ['Files keep their names', 'keeps_names', false],
  ['Guests can ask me about photos', 'takes_questions', true],
  ['Tell guests about new photos by e-mail', 'tells_guests', true],
] as const)('[GAL133] %s: switched, and switched back', async (name, key, before) => {
  const { sent } = await open({ tells_guests: 'on' });
  const control = screen.getByRole('switch', { name });
  for (const wanted of [!before, before]) {
    await user.click(control);
    await waitFor(() => expect(control).toBeEnabled());
    expect((control as HTMLInputElement).checked).toBe(wanted);
  }
  expect(sent()).toEqual([{ [key]: !before }, { [key]: before }]);
});

test('telling guests is no choice where it is not offered', async () => {
  await open({ tells_guests: 'unavailable' });
  expect(screen.queryByRole('switch', { name: /Tell guests/ })).not.toBeInTheDocument();
});

test('an event is closed to uploads and opened again', async () => {
  const { sent } = await open();
  const control = screen.getByRole('switch', { name: 'Open to uploads' });
  for (const wanted of [false, true]) {
    await user.click(control);
    await waitFor(() => expect(control).toBeEnabled());
    expect((control as HTMLInputElement).checked).toBe(wanted);
  }
  expect(sent()).toEqual([{ uploads_closed: true }, { uploads_closed: false }]);
});

test('[GAL133] a change that could not be saved is said and undone', async () => {
  await open({}, { [route]: () => errorResponse(500) });
  const control = screen.getByRole('switch', {
    name: 'Guests get originals with location and serial numbers',
  });
  await user.click(control);
  expect(await screen.findByText('The setting could not be saved. Please try again.')).toBeVisible();
  await waitFor(() => expect(control).not.toBeChecked());
});

test('[GAL504] a change whose answer was lost is shown as it was made', async () => {
  let event = sangeet;
  await open(
    {},
    {
      'GET /api/events/search': () => json({ events: [event], next_cursor: null }),
      [route]: ({ body }) => {
        event = changed(event, body as Record<string, unknown>);
        return Promise.reject(new TypeError('Failed to fetch'));
      },
    },
  );
  const control = screen.getByRole('switch', { name: 'Guests may browse all photos' });
  await user.click(control);
  expect(await screen.findByText('The setting could not be saved. Please try again.')).toBeVisible();
  await waitFor(() => expect(control).toBeChecked());
});

test('[GAL504] a PIN whose answer was lost is shown as it is', async () => {
  let pin = '004200';
  await open(
    { asks_pin: true },
    {
      'GET /api/events/e1/pin': () => json({ pin }),
      [route]: ({ body }) => {
        ({ pin } = body as { pin: string });
        return errorResponse(502);
      },
    },
  );
  expect(await screen.findByText('004200')).toBeVisible();
  const { dialog, field, save } = await change('PIN for guests');
  await user.clear(field);
  await user.type(field, '471147');
  await save();
  expect(await dialog.findByRole('alert')).toBeVisible();
  expect(await screen.findByText('471147')).toBeInTheDocument();
});

test('[GAL504] an answer of before a change does not undo it', async () => {
  let event = sangeet;
  let isHeld = false;
  const held: (() => void)[] = [];
  await open(
    {},
    {
      'GET /api/events/search': () => {
        const answer = json({ events: [event], next_cursor: null });
        if (!isHeld) return answer;
        isHeld = false;
        return new Promise<Response>((resolve) => held.push(() => resolve(answer)));
      },
      [route]: ({ body }) => {
        event = changed(event, body as Record<string, unknown>);
        return json(event);
      },
    },
  );
  isHeld = true;
  act(() => void window.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(held).toHaveLength(1));
  const control = screen.getByRole('switch', { name: 'Guests may browse all photos' });
  await user.click(control);
  expect(await screen.findByText(saved)).toBeVisible();
  held[0]?.();
  await act(() => delay(20));
  expect(control).toBeChecked();
});

test('a manager has no time that photos are kept, and no day of removal', async () => {
  await open({ role: 'manager', owner_name: 'Asha Rao' });
  expect(screen.getByRole('button', { name: 'Change Event name' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Change Photos are removed on' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Change Keep photos for' })).not.toBeInTheDocument();
});

test('a contributor has no settings', async () => {
  mockServer({
    'GET /api/events/search': () =>
      json({ events: [{ ...sangeet, role: 'contributor', owner_name: 'Mira Sen' }], next_cursor: null }),
  });
  renderEventScreen(<SettingsPage team={null} people={null} />, '/admin/settings?event=e1');
  expect(await screen.findByText('For the owner and managers')).toBeVisible();
  expect(screen.queryByRole('switch')).not.toBeInTheDocument();
});
