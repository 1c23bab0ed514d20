import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event } from '../../platform/api/types';
import { useNotifications } from '../shared/notifications/context';
import { selectEvent } from '../../platform/session/selection';
import { storedNotifications } from '../../platform/storage/notificationStorage';
import { storedSelectedEvent } from '../../platform/storage/storage';
import { listing } from '../../testing/events';
import { anEvent } from '../../testing/fixtures';
import { passUntil } from '../../testing/passUntil';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import EventsPage from './EventsPage';
import { useDeletionPolling } from './useDeletions';

const sangeet = anEvent({ description: 'Lawn and terrace.' });
const dinner = anEvent({ id: 'e2', name: 'Dinner', date: '2026-10-29', slug: 'dinner-c9xk4bme7u' });

function PageWithNotifications() {
  useDeletionPolling();
  const { notifications } = useNotifications();
  return (
    <>
      <EventsPage />
      <ul aria-label="heard">
        {notifications.map((notification) => (
          <li key={notification.id}>
            {notification.type === 'deletion' ? `deletion ${notification.status}` : notification.type}:{' '}
            {`${notification.title}: ${notification.message}`}
          </li>
        ))}
      </ul>
    </>
  );
}

const notificationTexts = () =>
  within(screen.getByRole('list', { name: 'heard', hidden: true }))
    .queryAllByRole('listitem', { hidden: true })
    .map((item) => item.textContent);

const confirmDeletion = async (name: string) => {
  const card = await screen.findByRole('article', { name });
  fireEvent.click(within(card).getByRole('button', { name: 'Delete' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Delete event' }));
};

beforeEach(signIn);

describe('/admin/events', () => {
  it('loads the covers of the first row at once, and the others when they are scrolled to', async () => {
    const events = [1, 2, 3, 4].map((number) =>
      anEvent({ id: `e${number}`, name: `Day ${number}`, cover_url: `/files/cover-${number}` }),
    );
    mockServer({ ...listing(() => events) });
    renderScreen(<EventsPage />, '/admin/events');
    const cards = await screen.findAllByRole('article');
    const covers = cards.map((card) => card.querySelector('img'));
    expect(covers.map((cover) => cover?.getAttribute('loading'))).toEqual([
      'eager',
      'eager',
      'eager',
      'lazy',
    ]);
    expect(covers[0]).toHaveAttribute('fetchpriority', 'high');
    expect(covers[3]).not.toHaveAttribute('fetchpriority');
  });

  it('shows a card per event with name, long date, description and URL [EVT012] [EVT013] [EVT014] [EVT015] [EVT016] [EVT017]', async () => {
    mockServer({ ...listing(() => [sangeet, dinner]) });
    renderScreen(<EventsPage />, '/admin/events');
    const cards = await screen.findAllByRole('article');
    expect(cards).toHaveLength(2);
    const first = within(cards[0] as HTMLElement);
    expect(first.getByRole('heading', { name: 'Sangeet' })).toBeVisible();
    expect(first.getByText('Saturday, 14 November 2026')).toBeVisible();
    expect(first.getByText('Lawn and terrace.')).toBeVisible();
    const url = first.getByRole('textbox', { name: 'Event URL of Sangeet' });
    expect(url).toHaveValue('http://localhost:8080/event/sangeet-k7m2x9q4tr');
    expect(url).toHaveAttribute('readonly');
    for (const name of ['Upload', 'Gallery', 'QR Code', 'Delete', 'Copy event URL']) {
      expect(first.getByRole('button', { name })).toBeEnabled();
    }
    const paragraphs = cards.map((each) => [...each.querySelectorAll('p')].map((line) => line.textContent));
    expect(paragraphs).toEqual([
      ['Saturday, 14 November 2026', 'Lawn and terrace.'],
      ['Thursday, 29 October 2026'],
    ]);
  });

  it('leads to the uploads and the photos of an event, by six stops of the Tab key at most', async () => {
    mockServer({ ...listing(() => [sangeet, dinner]) });
    const { router } = renderScreen(<EventsPage />, '/admin/events');
    await userEvent.click(
      within(await screen.findByRole('article', { name: 'Dinner' })).getByRole('button', { name: 'Upload' }),
    );
    expect(await screen.findByText('arrived at /admin/upload')).toBeVisible();
    expect(router.state.location.search).toBe('?event=e2');
    await act(() => router.navigate('/admin/events'));
    const card = await screen.findByRole('article', { name: 'Dinner' });
    expect(within(card).getByRole('link', { name: 'Dinner' })).toHaveAttribute(
      'href',
      '/admin/gallery?event=e2',
    );
    const stops = [...card.querySelectorAll<HTMLElement>('a, button, input')].filter(
      ({ tabIndex }) => tabIndex >= 0,
    );
    expect(stops.map((stop) => stop.getAttribute('aria-label') ?? stop.textContent)).toEqual([
      'Dinner',
      'Copy event URL',
      'Upload',
      'Gallery',
      'QR Code',
      'Delete',
    ]);
  });

  it('says until when photos are kept only where there are some', async () => {
    const expires_at = '1999-01-31T00:00:00Z';
    mockServer({
      ...listing(() => [
        { ...sangeet, expires_at, indexing: { indexed: 0, total: 0 } },
        { ...dinner, expires_at, indexing: { indexed: 3, total: 3 } },
      ]),
    });
    renderScreen(<EventsPage />, '/admin/events');
    const empty = within(await screen.findByRole('article', { name: 'Sangeet' }));
    expect(empty.queryByText(/Photos kept until/)).toBeNull();
    expect(
      within(screen.getByRole('article', { name: 'Dinner' })).getByText(/Photos kept until/),
    ).toBeVisible();
  });

  it('invites to the first event when there is none [EVT018] [EVT019]', async () => {
    mockServer({ ...listing(() => []) });
    renderScreen(<EventsPage />, '/admin/events');
    expect(await screen.findByText('No events created yet')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Create Your First Event' })).toHaveAttribute(
      'href',
      '/admin/event-registration',
    );
  });

  it("says 'Failed to load events' [EVT020]", async () => {
    mockServer({ 'GET /api/events/search': () => errorResponse(500) });
    renderScreen(<EventsPage />, '/admin/events');
    expect(await screen.findByText('Failed to load events')).toBeVisible();
  });

  it('copies the URL [EVT016]', async () => {
    const user = userEvent.setup();
    mockServer({ ...listing(() => [sangeet]) });
    renderScreen(<EventsPage />, '/admin/events');
    await user.click(await screen.findByRole('button', { name: 'Copy event URL' }));
    expect(await screen.findByText('URL copied to clipboard!')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe('http://localhost:8080/event/sangeet-k7m2x9q4tr');
  });
});

describe('many events', () => {
  const many = ['Mehendi', 'Sangeet', 'Haldi', 'Été à Nîmes', 'Dinner'].map((name, number) =>
    anEvent({ id: `n${String(number)}`, name }),
  );
  /** Three events a page. */
  const pagesOf = (events: Event[]) =>
    mockServer({
      'GET /api/events/search': ({ query }) => {
        if (query.has('shared')) return json({ events: [], next_cursor: null });
        const part = (query.get('name') ?? '').toLowerCase();
        const matching = events.filter(({ name }) => name.toLowerCase().includes(part));
        const from = matching.findIndex(({ id }) => id === query.get('cursor')) + 1;
        const page = matching.slice(from, from + 3);
        const more = from + page.length < matching.length;
        return json({ events: page, next_cursor: more ? page.at(-1)?.id : null });
      },
      'DELETE /api/events/n2': () => json({}),
    });
  const found = () => within(screen.getByRole('search')).getByRole('status');
  const names = () => screen.queryAllByRole('article').map((card) => card.getAttribute('aria-label'));
  const askedFor = (server: ReturnType<typeof mockServer>) =>
    server
      .callsTo('GET /api/events/search')
      .map(({ query }) => query)
      .filter((query) => !query.has('shared'));

  it('come page by page, and the first of a page takes the focus', async () => {
    const server = pagesOf(many);
    renderScreen(<EventsPage />, '/admin/events');
    await waitFor(() => expect(names()).toHaveLength(3));
    expect(found()).toHaveTextContent('The newest 3 events');
    await userEvent.click(screen.getByRole('button', { name: 'Show more events' }));
    await waitFor(() => expect(names()).toEqual(many.map(({ name }) => name)));
    expect(screen.getAllByRole('article')[3]).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Show more events' })).toBeNull();
    expect(found()).toHaveTextContent('5 events');
    const asked = askedFor(server).map(String);
    expect(asked).toEqual(['limit=24', 'limit=24&cursor=n2']);
    await confirmDeletion('Haldi');
    await waitFor(() => expect(names()).toEqual(['Mehendi', 'Sangeet', 'Été à Nîmes', 'Dinner']));
  });

  it('are found by a part of their name, which is asked for once', async () => {
    const server = pagesOf(many);
    renderScreen(<EventsPage />, '/admin/events');
    const field = await screen.findByRole('searchbox', { name: 'Find events by name' });
    await userEvent.type(field, ' nîmes ');
    await waitFor(() => expect(names()).toEqual(['Été à Nîmes']));
    expect(found()).toHaveTextContent('1 event');
    const asked = askedFor(server).map((query) => query.get('name'));
    expect(asked).toEqual([null, 'nîmes']);

    await userEvent.clear(field);
    await userEvent.type(field, 'nobody');
    await waitFor(() => expect(found()).toHaveTextContent('No event is called that.'));
    expect(names()).toEqual([]);
    expect(screen.queryByText('No events created yet')).toBeNull();
    expect(field).toHaveFocus();
    await userEvent.clear(field);
    await waitFor(() => expect(names()).toHaveLength(3));
    expect(field).toHaveFocus();
  });

  it('can be asked for again when a page cannot be loaded [EVT020]', async () => {
    const page = { events: many.slice(0, 3), next_cursor: 'n2' };
    let fails = true;
    mockServer({
      'GET /api/events/search': ({ query }) => {
        if (query.get('cursor') === null) return json(page);
        return fails ? errorResponse(500) : json({ events: many.slice(3), next_cursor: null });
      },
    });
    renderScreen(<EventsPage />, '/admin/events');
    await userEvent.click(await screen.findByRole('button', { name: 'Show more events' }));
    expect(await screen.findByText('Failed to load events')).toBeVisible();
    expect(names()).toHaveLength(3);
    fails = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(names()).toHaveLength(5));
    expect(screen.queryByText('Failed to load events')).toBeNull();
  });
});

describe('deleting an event', () => {
  it('asks first, names the 60 seconds, and can be cancelled [EVT021] [EVT022] [EVT023]', async () => {
    const server = mockServer({ ...listing(() => [sangeet]) });
    renderScreen(<EventsPage />, '/admin/events');
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Sangeet?' });
    expect(dialog).toHaveTextContent('Deletion may take up to 60 seconds.');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsTo('DELETE /api/events/e1')).toHaveLength(0);
    expect(screen.getByRole('article', { name: 'Sangeet' })).toBeVisible();
  });

  it('removes an empty event from the list at once [EVT024] [EVT029]', async () => {
    const server = mockServer({
      ...listing(() => [sangeet, dinner]),
      'DELETE /api/events/e1': () => json({}),
    });
    renderScreen(<PageWithNotifications />, '/admin/events');
    await confirmDeletion('Sangeet');
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Sangeet' })).toBeNull());
    expect(server.callsTo('DELETE /api/events/e1')).toHaveLength(1);
    expect(notificationTexts()).toEqual([]);
  });

  it('dims the card, disables its buttons and notifies while the task runs [EVT025] [EVT026] [EVT027] [EVT028] [NAV051]', async () => {
    selectEvent(sangeet);
    mockServer({
      ...listing(() => [sangeet]),
      'DELETE /api/events/e1': () => json({ task_id: 't1', event_data: { name: 'Sangeet' } }, 202),
    });
    renderScreen(<PageWithNotifications />, '/admin/events');
    await confirmDeletion('Sangeet');
    expect(await screen.findByText('Deleting...')).toBeVisible();
    const card = screen.getByRole('article', { name: 'Sangeet', hidden: true });
    const title = within(card).getByRole('heading', { name: 'Sangeet', hidden: true });
    expect(getComputedStyle(title).color).toBe('var(--mui-palette-text-disabled)');
    expect(getComputedStyle(card.firstElementChild as Element).filter).toMatch(/^saturate/);
    for (const name of ['Upload', 'Gallery', 'QR Code', 'Delete']) {
      expect(within(card).getByRole('button', { name, hidden: true })).toBeDisabled();
    }
    await waitFor(() =>
      expect(notificationTexts().join()).toMatch(/^deletion in_progress: Deleting Event: Sangeet/),
    );
    expect(storedSelectedEvent.read()).toBeNull();
  });

  it('shows the error of the server, or the default [EVT038]', async () => {
    const answers = [errorResponse(409, 'Not now'), errorResponse(500)];
    mockServer({
      ...listing(() => [sangeet]),
      'DELETE /api/events/e1': () => answers.shift() ?? errorResponse(500),
    });
    renderScreen(<PageWithNotifications />, '/admin/events');
    await confirmDeletion('Sangeet');
    await waitFor(() => expect(notificationTexts()[0]).toBe('error: Deletion Failed: Not now'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await confirmDeletion('Sangeet');
    await waitFor(() =>
      expect(notificationTexts()[0]).toBe(
        'error: Deletion Failed: Failed to delete event. Please try again.',
      ),
    );
  });

  const running = (): Event => ({ ...sangeet, deleting: true, task_id: 't1' });

  it('resumes polling a running deletion after a reload, and reloads the list when it completed [EVT033] [EVT034] (U37)', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let events = [running()];
    const server = mockServer({
      ...listing(() => events),
      'GET /api/events/task/t1': () => {
        events = [];
        return json({ status: 'completed', message: null });
      },
    });
    renderScreen(<PageWithNotifications />, '/admin/events');
    expect(await screen.findByText('Deleting...')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(2100));
    await waitFor(() => expect(notificationTexts().join()).toContain('success: Event Deleted'));
    expect(notificationTexts().filter((text) => text.includes('Event Deleted'))).toHaveLength(1);
    expect(screen.queryByText('Deleting...')).toBeNull();
    expect(server.callsTo('GET /api/events/task/t1')).toHaveLength(1);
    expect(await screen.findByText('No events created yet')).toBeVisible();
  });

  it.each([
    ['is gone', [], 'success: Event Deleted: Sangeet and all its photos are gone.'],
    ['is still there', [sangeet], 'error: Deletion Failed: Event deletion failed. Please try again.'],
  ])(
    'tells the end of a deletion that an earlier load has shown as running, when the event %s [NOTE027]',
    async (_, events, text) => {
      storedNotifications.write([
        {
          id: '1',
          timestamp: Date.now() - 60_000,
          read: false,
          type: 'deletion',
          title: 'Deleting Event',
          message: 'M',
          eventId: 'e1',
          eventName: 'Sangeet',
          status: 'in_progress',
          endedAt: null,
        },
      ]);
      mockServer({ ...listing(() => events) });
      renderScreen(<PageWithNotifications />, '/admin/events');
      await waitFor(() => expect(notificationTexts()).toContain(text));
      expect(notificationTexts().join()).not.toContain('in_progress');
      expect(notificationTexts()).toHaveLength(2);
    },
  );

  it.each([
    [() => json({ status: 'failed' }), 'error: Deletion Failed: Event deletion failed. Please try again.'],
    [() => json({ status: 'failed', message: 'Disk is full' }), 'error: Deletion Failed: Disk is full'],
    [
      () => errorResponse(500),
      'error: Status Check Failed: Unable to check deletion status. Please refresh the page to see updates.',
    ],
  ])('announces how it failed [EVT035] [EVT039] [EVT040]', async (answer, text) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    mockServer({
      ...listing(() => [running()]),
      'GET /api/events/task/t1': answer,
    });
    renderScreen(<PageWithNotifications />, '/admin/events');
    await screen.findByText('Deleting...');
    await act(() => vi.advanceTimersByTimeAsync(2100));
    await waitFor(() => expect(notificationTexts()).toContain(text));
  });

  it('notifies of a timeout after 60 repeated checks and stops [EVT032] [EVT037]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const server = mockServer({
      ...listing(() => [running()]),
      'GET /api/events/task/t1': () => json({ status: 'in_progress', message: null }),
    });
    renderScreen(<PageWithNotifications />, '/admin/events');
    await screen.findByText('Deleting...');
    const timeout =
      'error: Deletion Timeout: Deletion is taking longer than expected. Please refresh the page to see updates.';
    const checks = () => server.callsTo('GET /api/events/task/t1').length;
    for (const count of [20, 40, 60]) await passUntil(() => checks() === count);
    expect(notificationTexts()).not.toContain(timeout);
    await passUntil(() => notificationTexts().includes(timeout));
    expect(checks()).toBe(61);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(checks()).toBe(61);
  });
});
