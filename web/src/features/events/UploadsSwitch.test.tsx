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

test('an event is closed to uploads and opened again', async () => {
  const server = mockServer({
    ...listing(() => [anEvent()]),
    [route]: ({ body }) => json({ ...anEvent(), ...(body as object) }),
  });
  renderScreen(<EventsPage />, '/admin/events');
  const control = await screen.findByRole('switch', { name: 'Open to uploads' });
  expect(control).toBeChecked();
  for (const open of [false, true]) {
    await user.click(control);
    await waitFor(() => expect(control).toBeEnabled());
    expect((control as HTMLInputElement).checked).toBe(open);
  }
  const closed = [{ uploads_closed: true }, { uploads_closed: false }];
  expect(server.callsTo(route).map(({ body }) => body)).toEqual(closed);
});
