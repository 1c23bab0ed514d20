import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { selectEvent } from '../platform/session/selection';
import { storedSelectedEvent, storedToken } from '../platform/storage/storage';
import { anEvent } from '../testing/fixtures';
import { signIn } from '../testing/render';
import { errorResponse, json, mockServer } from '../testing/server';
import { renderApp } from './testing';

let server: ReturnType<typeof mockServer>;
let eventsResponse: () => Response;

beforeEach(() => {
  eventsResponse = () => json({ events: [anEvent()], next_cursor: null });
  server = mockServer({
    'GET /api/auth/check-verification-status': () => json({ already_verified: false }),
    'POST /api/auth/verify-email': () => json({ verified: true, message: 'Email verified successfully!' }),
    'GET /api/events/search': () => eventsResponse(),
    'GET /api/subscription/credits': () =>
      json({ credits: 618, total_credits_earned: 700, total_credits_spent: 82, is_first_recharge: false }),
    'HEAD /api/health': () => new Response(null),
  });
});

it('the event that was chosen in an earlier visit is chosen on load [STORE009]', async () => {
  signIn();
  const { id, name, date, slug } = anEvent();
  localStorage.setItem('selectedEvent', JSON.stringify({ id, name, date, slug }));
  renderApp('/admin/upload');
  expect(await screen.findByRole('button', { name: /^Sangeet.*change event$/ })).toBeVisible();
  expect(await screen.findByLabelText('Choose photos')).toBeInTheDocument();
  expect(screen.queryByText('Select an Event')).toBeNull();
});

it.each(['/pricing', '/admin/events'])(
  'a token that the server refuses on loading the events leads from %s to /login [NAV056] [API005]',
  async (path) => {
    signIn();
    selectEvent(anEvent());
    eventsResponse = () => errorResponse(401, 'Please log in to continue.');
    renderApp(path);
    expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
    expect(window.location.pathname).toBe('/login');
    expect(storedKeys()).toEqual([]);
  },
);

it('the tab that verified an address is logged out and stays on its success display [AUTH043] [AUTH044] (X09)', async () => {
  signIn();
  selectEvent(anEvent());
  renderApp('/verify-email?token=abc');
  expect(await screen.findByRole('heading', { name: 'Email Verified Successfully!' })).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Login' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Dashboard' })).toBeNull();
  expect(storedKeys()).toEqual([]);
  expect(window.location.pathname).toBe('/verify-email');
  expect(server.callsTo('POST /api/auth/verify-email')).toHaveLength(1);
});

/** Clears the storage as another tab does: the event names no key. */
function clearStorageInAnotherTab() {
  localStorage.clear();
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: null, storageArea: localStorage }));
  });
}

/** Changes the token as another tab does: the storage has changed when the event arrives. */
function changeTokenInAnotherTab(newValue: string | null) {
  const oldValue = localStorage.getItem('token');
  if (newValue === null) localStorage.removeItem('token');
  else localStorage.setItem('token', newValue);
  act(() => {
    window.dispatchEvent(
      new StorageEvent('storage', { key: 'token', oldValue, newValue, storageArea: localStorage }),
    );
  });
}

const storedKeys = () =>
  ['token', 'user', 'selectedEvent'].filter((key) => localStorage.getItem(key) !== null);

describe('a token that another tab changes', () => {
  it.each(['/pricing', '/admin/upload'])(
    'clears token, user and selected event and leads from %s to /login [STORE011] [STORE012] (X08)',
    async (path) => {
      signIn();
      selectEvent(anEvent());
      renderApp(path);
      await screen.findByRole('link', { name: 'Dashboard' });
      changeTokenInAnotherTab('of another login');
      expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
      expect(window.location.pathname).toBe('/login');
      expect(storedKeys()).toEqual([]);
    },
  );

  it.each(['/pricing', '/admin/upload'])(
    'leads from %s to /login when it was removed [STORE013]',
    async (path) => {
      signIn();
      renderApp(path);
      await screen.findByRole('link', { name: 'Dashboard' });
      changeTokenInAnotherTab(null);
      expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
      expect(window.location.pathname).toBe('/login');
    },
  );

  it.each(['of another login', null])(
    'logs out and stays on / when it becomes %s [STORE014]',
    async (token) => {
      signIn();
      renderApp('/');
      await screen.findByRole('link', { name: 'Dashboard' });
      const entries = window.history.length;
      changeTokenInAnotherTab(token);
      await waitFor(() => expect(screen.queryByRole('link', { name: 'Dashboard' })).toBeNull());
      expect(storedKeys()).toEqual([]);
      expect(window.location.pathname).toBe('/');
      expect(window.history).toHaveLength(entries);
    },
  );

  it.each([
    ['/login', 'Login'],
    ['/register', 'Register'],
  ])('does not navigate on %s, where the form stays [STORE014]', async (path, title) => {
    // A login without the photographer's flag is the one that these two pages are shown with.
    storedToken.write('of a guest');
    renderApp(path);
    await screen.findByRole('heading', { level: 1, name: title });
    const entries = window.history.length;
    for (const token of ['of another login', null]) {
      storedToken.write('of a guest');
      changeTokenInAnotherTab(token);
      await waitFor(() => expect(storedKeys()).toEqual([]));
      expect(window.location.pathname).toBe(path);
      expect(window.history).toHaveLength(entries);
    }
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible();
  });

  it('does not bring the selected event back when its removal arrives after that of the token [STORE016]', async () => {
    signIn();
    selectEvent(anEvent());
    renderApp('/pricing');
    await screen.findByRole('link', { name: 'Dashboard' });
    const oldEvent = localStorage.getItem('selectedEvent');
    // A logout in another tab removes both; the events arrive one after the other.
    localStorage.removeItem('selectedEvent');
    changeTokenInAnotherTab(null);
    await screen.findByRole('heading', { level: 1, name: 'Login' });
    act(() => {
      window.dispatchEvent(
        new StorageEvent('storage', { key: 'selectedEvent', oldValue: oldEvent, newValue: null }),
      );
    });
    expect(storedSelectedEvent.read()).toBeNull();
  });

  it.each([
    ['/pricing', '/login'],
    ['/', '/'],
    ['/admin/events', '/login'],
  ])('is noticed on %s when another tab clears the whole storage [STORE017]', async (path, target) => {
    signIn();
    selectEvent(anEvent());
    renderApp(path);
    await screen.findByRole('link', { name: 'Dashboard' });
    clearStorageInAnotherTab();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Dashboard' })).toBeNull());
    await waitFor(() => expect(window.location.pathname).toBe(target));
    expect(storedSelectedEvent.read()).toBeNull();
  });

  it('does not navigate on a cleared storage where nobody was logged in [STORE017]', async () => {
    renderApp('/pricing');
    await screen.findByRole('link', { name: 'Login' });
    clearStorageInAnotherTab();
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(window.location.pathname).toBe('/pricing');
  });

  it('is taken over where this tab had none (X08)', async () => {
    renderApp('/pricing');
    await screen.findByRole('link', { name: 'Login' });
    changeTokenInAnotherTab('of a login');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Login' })).toBeNull());
    expect(window.location.pathname).toBe('/pricing');
    expect(storedToken.read()).toBe('of a login');
  });
});
