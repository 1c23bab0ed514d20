import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { listing } from '../../shared/testing/events';
import { anEvent } from '../../shared/testing/fixtures';
import { renderScreen, signIn } from '../../shared/testing/render';
import { json, mockServer } from '../../shared/testing/server';
import EventsPage from './EventsPage';

const user = userEvent.setup();
const route = 'PATCH /api/events/e1';

beforeEach(signIn);

test('an event takes questions of guests, or none', async () => {
  const server = mockServer({
    ...listing(() => [anEvent()]),
    [route]: ({ body }) => json({ ...anEvent(), ...(body as object) }),
  });
  renderScreen(<EventsPage />, '/admin/events');
  const control = await screen.findByRole('switch', { name: 'Guests can ask me about photos' });
  expect(control).toBeChecked();
  for (const taken of [false, true]) {
    await user.click(control);
    await waitFor(() => expect(control).toBeEnabled());
    expect((control as HTMLInputElement).checked).toBe(taken);
  }
  const changed = [{ takes_questions: false }, { takes_questions: true }];
  expect(server.callsTo(route).map(({ body }) => body)).toEqual(changed);
});
