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
  const event = anEvent(overrides);
  const server = mockServer({
    ...listing(() => [event]),
    'GET /api/objections': () => json({ objections: [] }),
    'GET /api/site': () => json({ public_url: 'https://photos.example' }),
    [route]: answer,
    'PATCH /api/events/e1': ({ body }) => json({ ...event, ...(body as Partial<Event>) }),
  });
  renderEventScreen(<p>the screen</p>, '/admin/people?event=e1');
  return server;
}

const openChip = async (name: string) => {
  await user.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog', { name: 'What guests see' }));
};

beforeEach(signIn);

describe('what guests see', () => {
  it('is held from now on with one press, and says so [EVT173]', async () => {
    const server = open();
    const popover = await openChip('Guests: own photos');
    expect(popover.getByRole('radio', { name: /As they arrive/ })).toBeChecked();
    expect(popover.getByRole('link', { name: 'Change in Settings' })).toHaveAttribute(
      'href',
      '/admin/settings?event=e1#guests',
    );
    await user.click(popover.getByRole('radio', { name: /Held until published/ }));
    await waitFor(() => expect(popover.getByRole('radio', { name: /Held until published/ })).toBeChecked());
    expect(server.callsTo(route).map(({ body }) => body)).toEqual([{ publication: 'held' }]);
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('button', { name: 'Guests: photos held' })).toBeVisible();
  });

  it('names what is published with it before it is as photos arrive [EVT188]', async () => {
    const server = open({ publication: 'held', held_photos: 40, held_through: 57 }, () => json(anEvent()));
    const popover = await openChip('Guests: photos held');
    await user.click(popover.getByRole('radio', { name: /As they arrive/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Show photos as they arrive?' }));
    expect(dialog.getByText('40 photos are held. Guests see them with this.')).toBeVisible();
    expect(server.callsTo(route)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Publish 40 photos' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /Show photos/ })).toBeNull());
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
    await user.click(popover.getByRole('radio', { name: /Complete/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Are the photos complete?' }));
    expect(dialog.getByText(/written to once/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'They are complete' }));
    expect(await dialog.findByRole('alert')).toBeVisible();
    await waitFor(() => expect(server.callsTo('GET /api/events/search')).toHaveLength(2));
    refuses = false;
    await user.click(dialog.getByRole('button', { name: 'They are complete' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /complete\?/ })).toBeNull());
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('button', { name: 'Guests: complete' })).toBeVisible();
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
});
