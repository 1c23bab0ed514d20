import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { selectEvent } from '../platform/session/selection';
import { storedReturn, storedSelectedEvent, storedToken, storedUser } from '../platform/storage/storage';
import { listing } from '../testing/events';
import { anEvent } from '../testing/fixtures';
import { signIn } from '../testing/render';
import { errorResponse, json, mockServer } from '../testing/server';
import { renderApp } from './testing';

const uploads = vi.hoisted(() => ({ aborted: 0 }));
vi.mock('../platform/api/upload', () => ({
  uploadPhoto: ({ signal }: { signal: AbortSignal }) =>
    new Promise(() => signal.addEventListener('abort', () => (uploads.aborted += 1))),
}));

beforeEach(() => {
  window.history.replaceState(null, '', '/admin/upload');
  signIn();
  selectEvent(anEvent());
});

it('logout asks before it cancels uploads, then clears user, events, selection, queue and cache [NAV058]', async () => {
  const server = mockServer({
    ...listing(() => [anEvent()]),
    'GET /api/subscription/credits': () =>
      json({ credits: 618, total_credits_earned: 700, total_credits_spent: 82, is_first_recharge: false }),
    'HEAD /api/health': () => new Response(null),
    'POST /api/auth/logout': () => json({}),
  });
  renderApp();
  const files = [new File(['x'], 'a.jpg', { type: 'image/jpeg' })];
  fireEvent.change(await screen.findByLabelText('Choose photos'), { target: { files } });
  expect(await screen.findByText('a.jpg')).toBeVisible();
  const loads = server.callsTo('GET /api/events/search').length;

  const logOut = async (answer: string) => {
    fireEvent.click(await screen.findByLabelText(/^Account/u));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Logout' }));
    const dialog = await screen.findByRole('dialog', { name: 'Uploads in progress' });
    fireEvent.click(within(dialog).getByRole('button', { name: answer }));
  };
  await logOut('Stay');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(uploads.aborted).toBe(0);
  expect(server.callsTo('POST /api/auth/logout')).toEqual([]);
  await logOut('Leave');
  expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  expect(window.location.pathname).toBe('/login');
  expect([storedToken.read(), storedUser.read(), storedSelectedEvent.read()]).toEqual([null, null, null]);
  expect(uploads.aborted).toBe(1);

  // The next session has no data of the previous one.
  storedUser.write({ name: 'Ravi Sen', email: 'ravi@example.com', is_photographer: true });
  storedToken.write('another');
  window.history.pushState(null, '', '/admin/upload');
  window.dispatchEvent(new PopStateEvent('popstate'));
  expect(await screen.findByText('Select an Event')).toBeVisible();
  expect(screen.queryByText('a.jpg')).toBeNull();
  expect(screen.getByLabelText('Account, RS')).toBeInTheDocument();
  await waitFor(() => expect(server.callsTo('GET /api/events/search').length).toBeGreaterThan(loads));
});

it('logout does not wait for the server, and its late answer does not end the next session [NAV077]', async () => {
  let answer: (response: Response) => void = () => undefined;
  const server = mockServer({
    ...listing(() => [anEvent()]),
    'HEAD /api/health': () => new Response(null),
    'POST /api/auth/logout': () => new Promise((resolve) => (answer = resolve)),
  });
  renderApp();
  fireEvent.click(await screen.findByLabelText(/^Account/u));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  expect([storedToken.read(), storedUser.read(), storedSelectedEvent.read()]).toEqual([null, null, null]);
  const [call] = server.callsTo('POST /api/auth/logout');
  expect(storedReturn.read()).toBeNull();
  expect(call?.headers.get('Authorization')).toBe('Bearer secret');

  storedToken.write('of the next session');
  answer(errorResponse(401, 'Please log in to continue.'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(storedToken.read()).toBe('of the next session');
});
