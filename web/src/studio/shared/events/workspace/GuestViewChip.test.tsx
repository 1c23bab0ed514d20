import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event } from '../../../../platform/api/types';
import { listing } from '../../../../testing/events';
import { anEvent } from '../../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../../testing/render';
import { errorResponse, json, mockServer } from '../../../../testing/server';

const user = userEvent.setup();
const route = 'PUT /api/events/e1/publication';

function open(
  overrides: Partial<Event> = {},
  answer: () => Response = () => json(anEvent({ publication: 'held' })),
) {
  let event = anEvent(overrides);
  const keep = async (response: Response) => {
    if (response.ok) event = (await response.clone().json()) as Event;
    return response;
  };
  const server = mockServer({
    ...listing(() => [event]),
    'GET /api/objections': () => json({ objections: [] }),
    'GET /api/site': () => json({ public_url: 'https://photos.example' }),
    [route]: () => keep(answer()),
    'PATCH /api/events/e1': ({ body }) => keep(json({ ...event, ...(body as Partial<Event>) })),
  });
  renderEventScreen(<p>the screen</p>, '/admin/people?event=e1');
  return server;
}

const openChip = async (name: string) => {
  await user.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog', { name: 'What guests see' }));
};

type Opened = Awaited<ReturnType<typeof openChip>>;
const choose = (popover: Opened, name: RegExp) => user.click(popover.getByRole('radio', { name }));
const save = (popover: Opened) => user.click(popover.getByRole('button', { name: 'Save' }));

/** The popover is gone, and the chip, which says what guests see now, has the focus. */
async function leadsBackTo(name: string) {
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name })).toHaveFocus();
}

beforeEach(signIn);

describe('what guests see', () => {
  it('is held from now on once that is saved, and says so [EVT173]', async () => {
    const server = open();
    const popover = await openChip('Guests: own photos');
    expect(popover.getByRole('radio', { name: /As they arrive/ })).toBeChecked();
    expect(popover.getByRole('link', { name: 'Change in Settings' })).toHaveAttribute(
      'href',
      '/admin/settings?event=e1#guests',
    );
    expect(popover.queryByRole('button', { name: 'Save' })).toBeNull();
    await choose(popover, /Held until published/);
    expect(popover.getByRole('radio', { name: /Held until published/ })).toBeChecked();
    expect(server.callsTo(route)).toEqual([]);
    await save(popover);
    await leadsBackTo('Guests: photos held');
    expect(server.callsTo(route).map(({ body }) => body)).toEqual([{ publication: 'held' }]);
  });

  it('is chosen by arrow keys, and saves nothing that they pass [EVT173]', async () => {
    const server = open({}, () => json(anEvent({ publication: 'complete' })));
    let popover = await openChip('Guests: own photos');
    popover.getByRole('radio', { name: /As they arrive/ }).focus();
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(popover.getByRole('radio', { name: /Complete/ })).toBeChecked();
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(popover.queryByRole('button', { name: 'Save' })).toBeNull();
    // Closed without being saved, the choice is forgotten.
    await user.keyboard('{ArrowDown}{Escape}');
    await leadsBackTo('Guests: own photos');
    popover = await openChip('Guests: own photos');
    expect(popover.getByRole('radio', { name: /As they arrive/ })).toBeChecked();
    expect(popover.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(server.callsTo(route)).toEqual([]);
  });

  it('says why it was not saved, and keeps the choice', async () => {
    open({}, () => errorResponse(500, 'Not now.'));
    const popover = await openChip('Guests: own photos');
    await choose(popover, /Held until published/);
    await save(popover);
    expect(await screen.findByText('Not now.')).toBeVisible();
    expect(popover.getByRole('radio', { name: /Held until published/ })).toBeChecked();
    expect(popover.getByRole('button', { name: 'Save' })).toBeEnabled();
  });

  it('is what it became where the answer was lost [GAL504]', async () => {
    let event = anEvent();
    mockServer({
      ...listing(() => [event]),
      'GET /api/objections': () => json({ objections: [] }),
      'GET /api/site': () => json({ public_url: 'https://photos.example' }),
      [route]: () => {
        event = anEvent({ publication: 'held' });
        return errorResponse(502);
      },
    });
    renderEventScreen(<p>the screen</p>, '/admin/people?event=e1');
    const popover = await openChip('Guests: own photos');
    await choose(popover, /Held until published/);
    await save(popover);
    expect(await screen.findByText('Guests: photos held')).toBeVisible();
  });

  it('names what is published with it before it is as photos arrive [EVT188]', async () => {
    const server = open({ publication: 'held', held_photos: 40, held_through: 57 }, () => json(anEvent()));
    const popover = await openChip('Guests: photos held');
    await choose(popover, /As they arrive/);
    await save(popover);
    const dialog = within(await screen.findByRole('dialog', { name: 'Show photos as they arrive?' }));
    expect(dialog.getByText('40 photos are held. Guests see them with this.')).toBeVisible();
    expect(server.callsTo(route)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Publish 40 photos' }));
    await leadsBackTo('Guests: own photos');
    expect(server.callsTo(route).map(({ body }) => body)).toEqual([
      { publication: 'as_they_arrive', publish_through: 57 },
    ]);
  });

  it('asks before the photos are complete, and says what stands in the way [EVT188]', async () => {
    let refuses = true;
    const server = open({}, () =>
      refuses
        ? errorResponse(409, 'Photos of this event are held.', 'event_photos_held')
        : json(anEvent({ publication: 'complete' })),
    );
    const popover = await openChip('Guests: own photos');
    await choose(popover, /Complete/);
    await save(popover);
    const dialog = within(await screen.findByRole('dialog', { name: 'Are the photos complete?' }));
    expect(dialog.getByText(/written to once/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'They are complete' }));
    expect(await dialog.findByRole('alert')).toBeVisible();
    await waitFor(() => expect(server.callsTo('GET /api/events/search')).toHaveLength(2));
    refuses = false;
    await user.click(dialog.getByRole('button', { name: 'They are complete' }));
    await leadsBackTo('Guests: complete');
  });

  it('names what it does also when the held photos are published meanwhile [EVT188]', async () => {
    let held = 40;
    let refuses = true;
    const event = () =>
      refuses ? anEvent({ publication: 'held', held_photos: held, held_through: 57 }) : anEvent();
    mockServer({
      ...listing(() => [event()]),
      'GET /api/objections': () => json({ objections: [] }),
      'GET /api/site': () => json({ public_url: 'https://photos.example' }),
      [route]: () => {
        held = 0;
        return refuses ? errorResponse(409, 'Other photos are held now.') : json(anEvent());
      },
    });
    renderEventScreen(<p>the screen</p>, '/admin/people?event=e1');
    const popover = await openChip('Guests: photos held');
    await choose(popover, /As they arrive/);
    await save(popover);
    const dialog = within(await screen.findByRole('dialog', { name: 'Show photos as they arrive?' }));
    await user.click(dialog.getByRole('button', { name: 'Publish 40 photos' }));
    const show = await dialog.findByRole('button', { name: 'Show as they arrive' });
    expect(dialog.getByText('Guests see new photos at once.')).toBeVisible();
    expect(dialog.queryByText(/are complete/)).toBeNull();
    refuses = false;
    await user.click(show);
    await leadsBackTo('Guests: own photos');
  });

  it('says until when more are coming, today or later [EVT183]', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-20T10:00:00Z'), toFake: ['Date'] });
    const server = open();
    const popover = await openChip('Guests: own photos');
    const field = popover.getByLabelText('More photos are coming until');
    expect(field).toHaveAttribute('min', '2026-11-20');
    await user.type(field, '2026-12-12');
    await user.tab();
    await waitFor(() =>
      expect(server.callsTo('PATCH /api/events/e1').map(({ body }) => body)).toEqual([
        { more_until: '2026-12-12' },
      ]),
    );
    vi.useRealTimers();
  });

  it('keeps the day that was typed until it is saved, and saves none that is not whole [EVT183]', async () => {
    const days: unknown[] = [];
    let event = anEvent();
    let answer: (response: Response) => void = () => undefined;
    mockServer({
      ...listing(() => [event]),
      'GET /api/objections': () => json({ objections: [] }),
      'GET /api/site': () => json({ public_url: 'https://photos.example' }),
      'PATCH /api/events/e1': ({ body }) => {
        days.push(body);
        return new Promise((resolve) => (answer = resolve));
      },
    });
    renderEventScreen(<p>the screen</p>, '/admin/people?event=e1');
    const popover = await openChip('Guests: own photos');
    const field = popover.getByLabelText('More photos are coming until');
    await user.type(field, '2031-12-12');
    await user.tab();
    await waitFor(() => expect(days).toHaveLength(1));
    expect(field).toHaveValue('2031-12-12');
    answer(errorResponse(500, 'Not now.'));
    expect(await screen.findByText('Not now.')).toBeVisible();
    expect(field).toHaveValue('2031-12-12');
    field.focus();
    await user.tab();
    await waitFor(() => expect(days).toHaveLength(2));
    event = anEvent({ more_until: '2031-12-12' });
    answer(json(event));
    await waitFor(() => expect(field).toHaveValue('2031-12-12'));
    // The browser hands over an empty day while a part of it is missing.
    await user.clear(field);
    Object.defineProperty(field, 'validity', { value: { badInput: true } });
    await user.tab();
    expect(days).toEqual([{ more_until: '2031-12-12' }, { more_until: '2031-12-12' }]);
  });
});
