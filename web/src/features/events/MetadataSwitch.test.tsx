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
const sangeet = anEvent();
const name = 'Guests get originals with location and serial numbers';

beforeEach(signIn);

test('[GAL133] a photographer lets guests have originals byte for byte, and takes it back', async () => {
  const server = mockServer({
    ...listing(() => [sangeet, anEvent({ id: 'e2', name: 'Dinner', slug: 'dinner-c9xk4bme7u' })]),
    [route]: ({ body }) => json({ ...sangeet, ...(body as object) }),
  });
  renderScreen(<EventsPage />, '/admin/events');
  const control = within(await screen.findByRole('article', { name: 'Sangeet' })).getByRole('switch', {
    name,
  });
  const other = within(screen.getByRole('article', { name: 'Dinner' })).getByRole('switch', { name });
  expect(control).not.toBeChecked();
  for (const kept of [true, false]) {
    await user.click(control);
    await waitFor(() => expect(control).toBeEnabled());
    expect((control as HTMLInputElement).checked).toBe(kept);
    expect(other).not.toBeChecked();
  }
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([
    { keeps_metadata: true },
    { keeps_metadata: false },
  ]);
});

test('[GAL133] a change that could not be saved is said and undone', async () => {
  mockServer({ ...listing(() => [sangeet]), [route]: () => errorResponse(500) });
  renderScreen(<EventsPage />, '/admin/events');
  const control = await screen.findByRole('switch', { name });
  await user.click(control);
  expect(await screen.findByText('The setting could not be saved. Please try again.')).toBeVisible();
  await waitFor(() => expect(control).not.toBeChecked());
});
