import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { listing } from '../../shared/testing/events';
import { anEvent } from '../../shared/testing/fixtures';
import { renderScreen, signIn } from '../../shared/testing/render';
import { errorResponse, json, mockServer } from '../../shared/testing/server';
import EventsPage from './EventsPage';

const user = userEvent.setup();
const route = 'PATCH /api/events/e1';
const sangeet = anEvent({ tells_guests: 'on' });
const dinner = anEvent({ id: 'e2', name: 'Dinner', slug: 'dinner-c9xk4bme7u' });
const name = 'Tell guests about new photos by e-mail';

beforeEach(signIn);

test('a photographer switches it off and on for an event, where it is offered', async () => {
  const server = mockServer({
    ...listing(() => [sangeet, dinner]),
    [route]: ({ body }) =>
      json({ ...sangeet, tells_guests: (body as { tells_guests: boolean }).tells_guests ? 'on' : 'off' }),
  });
  renderScreen(<EventsPage />, '/admin/events');
  const control = within(await screen.findByRole('article', { name: 'Sangeet' })).getByRole('switch', {
    name,
  });
  expect(control).toBeChecked();
  expect(
    within(screen.getByRole('article', { name: 'Dinner' })).queryByRole('switch', { name }),
  ).not.toBeInTheDocument();
  for (const allowed of [false, true]) {
    await user.click(control);
    await waitFor(() => expect(control).toBeEnabled());
    expect((control as HTMLInputElement).checked).toBe(allowed);
  }
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([
    { tells_guests: false },
    { tells_guests: true },
  ]);
});

test('a change that could not be saved is said and undone', async () => {
  mockServer({
    ...listing(() => [sangeet]),
    [route]: () => errorResponse(500),
  });
  renderScreen(<EventsPage />, '/admin/events');
  const control = await screen.findByRole('switch', { name });
  await user.click(control);
  expect(await screen.findByText('The setting could not be saved. Please try again.')).toBeVisible();
  await waitFor(() => expect(control).toBeChecked());
});
