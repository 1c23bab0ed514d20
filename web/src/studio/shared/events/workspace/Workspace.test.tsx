import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../../platform/api/types';
import { storedSelectedEvent } from '../../../../platform/storage/storage';
import { listing } from '../../../../testing/events';
import { anEvent } from '../../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../../testing/render';
import { errorResponse, json, mockServer } from '../../../../testing/server';
import { selectEvent } from '../../../../platform/session/selection';
import { useWorkspaceEvent } from './context';

const user = userEvent.setup();
const dinner = anEvent({ id: 'e2', name: 'Dinner', slug: 'dinner-c9xk4bme7u' });
const indexing = { indexed: 1234, waiting: 0, failed: 0, total: 1234 };

function Screen() {
  return <p>the screen of {useWorkspaceEvent().name}</p>;
}

function open(at: string, events: readonly Event[] = [anEvent({ indexing }), dinner]) {
  const server = mockServer({
    ...listing(() => events),
    'GET /api/objections': () =>
      json({
        objections: [
          { id: 'o1', event_id: 'e1', choice: 'hide', created_at: '2026-11-20T09:00:00Z', seen: false },
          { id: 'o2', event_id: 'e2', choice: 'hide', created_at: '2026-11-20T09:00:00Z', seen: false },
          { id: 'o3', event_id: 'e1', choice: 'hide', created_at: '2026-11-20T09:00:00Z', seen: true },
        ],
      }),
    'GET /api/site': () => json({ public_url: 'https://photos.example' }),
  });
  return { server, ...renderEventScreen(<Screen />, at) };
}

beforeEach(signIn);

describe('the header of an event', () => {
  it('says how many photos it has, what guests see and when it is [GAL002] [GAL003]', async () => {
    open('/admin/people?event=e1');
    expect(await screen.findByRole('heading', { level: 1, name: 'Sangeet' })).toBeVisible();
    expect(screen.getByText('1234 photos')).toBeVisible();
    expect(screen.getByText('14 Nov 2026')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Guests: own photos' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Upload Photos' })).toHaveAttribute(
      'href',
      '/admin/upload?event=e1',
    );
  });

  it('leads to the six screens, marks the one that is shown, and counts what waits for the photographer', async () => {
    open('/admin/people?event=e1');
    const tabs = within(await screen.findByRole('navigation', { name: 'This event' })).getAllByRole('link');
    await waitFor(() => expect(tabs[3]).toHaveAccessibleName(/1 new request of a guest/));
    expect(tabs.map((tab) => tab.getAttribute('href'))).toEqual(
      ['gallery', 'people', 'share', 'guests', 'statistics', 'settings'].map(
        (path) => `/admin/${path}?event=e1`,
      ),
    );
    expect(tabs.filter((tab) => tab.hasAttribute('aria-current')).map((tab) => tab.textContent)).toEqual([
      'People',
    ]);
    expect(document.title).toBe('People · Sangeet · Afterglow');
  });

  it('copies the link of the guests', async () => {
    open('/admin/people?event=e1');
    await user.click(await screen.findByRole('button', { name: 'Copy link' }));
    await waitFor(async () =>
      expect(await navigator.clipboard.readText()).toBe('https://photos.example/event/sangeet-k7m2x9q4tr'),
    );
  });

  it('has for a contributor their photos alone', async () => {
    open('/admin/gallery?event=e1', [anEvent({ role: 'contributor', owner_name: 'Mira Sen' })]);
    const tabs = within(await screen.findByRole('navigation', { name: 'This event' })).getAllByRole('link');
    expect(tabs.map((tab) => tab.textContent)).toEqual(['Photos']);
    expect(screen.queryByRole('button', { name: 'Copy link' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Upload Photos' })).toBeVisible();
  });
});

describe('the event of a workspace', () => {
  it('is the one that the address names, and is remembered for an address that names none', async () => {
    selectEvent(anEvent());
    const { router } = open('/admin/people?event=e2');
    expect(await screen.findByText('the screen of Dinner')).toBeVisible();
    expect(storedSelectedEvent.read()?.id).toBe('e2');
    await act(() => router.navigate('/admin/people?hidden=true#first'));
    expect(await screen.findByText('the screen of Dinner')).toBeVisible();
    expect(router.state.location.search).toBe('?hidden=true&event=e2');
    expect(router.state.location.hash).toBe('#first');
  });

  it('is the newest where neither names one, of those of others where none is the photographer’s own [NAV080]', async () => {
    const { router, unmount } = open('/admin/people?hidden=true');
    expect(await screen.findByText('the screen of Sangeet')).toBeVisible();
    expect(router.state.location.search).toBe('?hidden=true&event=e1');
    expect(storedSelectedEvent.read()?.id).toBe('e1');
    unmount();
    storedSelectedEvent.remove();
    open('/admin/gallery', [anEvent({ id: 'e3', name: 'Haldi', role: 'contributor' })]);
    expect(await screen.findByText('the screen of Haldi')).toBeVisible();
  });

  it('is chosen where there is none, or photos are to be uploaded [GAL001] (U51)', async () => {
    const { unmount } = open('/admin/people', []);
    expect(await screen.findByText('Select an Event')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Create Your First Event' })).toBeVisible();
    unmount();
    const { router } = open('/admin/upload');
    expect(await screen.findByText('Select an Event')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: /Dinner/ }));
    expect(await screen.findByText('the screen of Dinner')).toBeVisible();
    expect(router.state.location.search).toBe('?event=e2');
  });

  it('that is gone or being deleted is said to be, and another one can be chosen', async () => {
    const { unmount } = open('/admin/people?event=gone');
    expect(await screen.findByText(/^This event is not among your events\./)).toBeVisible();
    expect(await screen.findByRole('button', { name: /Sangeet/ })).toBeVisible();
    unmount();
    open('/admin/people?event=e1', [anEvent({ deleting: true })]);
    expect(await screen.findByText('This event is being deleted.')).toBeVisible();
  });

  it("that cannot be loaded is said to be, and tried again: 'Failed to load events. Please try again.' [GAL007]", async () => {
    let fails = true;
    mockServer({
      'GET /api/events/search': () =>
        fails ? errorResponse(500) : json({ events: [anEvent()], next_cursor: null }),
    });
    renderEventScreen(<Screen />, '/admin/people?event=e1');
    expect(await screen.findByText('Failed to load events. Please try again.')).toBeVisible();
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('the screen of Sangeet')).toBeVisible();
  });

  it('is loaded once for all that show it', async () => {
    const { server } = open('/admin/people?event=e1');
    expect(await screen.findByText('the screen of Sangeet')).toBeVisible();
    expect(server.callsTo('GET /api/events/search')).toHaveLength(1);
  });
});
