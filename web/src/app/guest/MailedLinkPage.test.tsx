import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { GuestApp } from './GuestApp';
import { errorResponse, json, mockServer } from '../../testing/server';

const user = userEvent.setup();
const confirmRoute = 'POST /api/face/subscriptions/confirm';

afterEach(() => {
  window.history.replaceState(null, '', '/');
});

function openLink(fragment: string) {
  window.history.replaceState(null, '', `/event/aanya-rohan${fragment}`);
  render(<GuestApp slug="aanya-rohan" />);
}

test('[TELL004] an address is confirmed by the button, not by opening the page', async () => {
  const server = mockServer({ [confirmRoute]: () => json({ success: true }) });
  openLink('#confirm=aB-_9');
  const button = await screen.findByRole('button', { name: 'Yes, tell me' });
  expect(screen.getByRole('heading', { level: 1, name: 'Tell me about new photos' })).toBeVisible();
  expect(server.calls).toHaveLength(0);
  await user.click(button);
  expect(await screen.findByRole('status')).toHaveTextContent('Your address is confirmed.');
  expect(server.callsTo(confirmRoute).map(({ body }) => body)).toEqual([{ token: 'aB-_9' }]);
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  expect(screen.getByRole('link', { name: 'Go to the event' })).toHaveAttribute('href', '/event/aanya-rohan');
  expect(window.location.hash).toBe('');
});

test('the mails are ended by the button', async () => {
  const route = 'POST /api/face/unsubscribe/aB-_9';
  const server = mockServer({ [route]: () => json({ success: true }) });
  openLink('#unsubscribe=aB-_9');
  await user.click(await screen.findByRole('button', { name: 'Stop these mails' }));
  expect(await screen.findByRole('status')).toHaveTextContent(
    'You will get no more mails about this event, and',
  );
  expect(server.callsTo(route)).toHaveLength(1);
});

test('an error is shown, and the button tries again', async () => {
  let answers = 0;
  mockServer({
    [confirmRoute]: () => {
      answers += 1;
      return answers === 1 ? errorResponse(502) : errorResponse(400, 'This link has expired.');
    },
  });
  openLink('#confirm=late');
  const button = await screen.findByRole('button', { name: 'Yes, tell me' });
  await user.click(button);
  expect(await screen.findByRole('alert')).toHaveTextContent('Please check your connection');
  await user.click(button);
  expect(await screen.findByText('This link has expired.')).toBeVisible();
  expect(window.location.hash).toBe('#confirm=late');
});
