import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setLoginNavigation } from '../../platform/api/authorizedFetch';
import { formatDayOf } from '../../platform/shortDates';
import { storedToken, storedUser } from '../../platform/storage/storage';
import { listing } from '../../testing/events';
import { anEvent } from '../../testing/fixtures';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { OverviewPage } from './OverviewPage';

const credits = {
  credits: 1618,
  total_credits_earned: 5100,
  total_credits_spent: 3482,
  is_first_recharge: false,
};
const summary = {
  total_events: 7,
  active_events: 5,
  deleted_events: 2,
  avg_photos_per_event: 497.43,
  total_photos_uploaded: 3482,
  total_faces_indexed: 9000,
};
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const today = { date: new Date().toISOString().slice(0, 10), uploads: 1240, searches: 7 };
const gone = anEvent({
  id: 'e9',
  name: 'Marathon',
  created_at: '2026-09-02T10:00:00Z',
  deleted_at: daysAgo(3),
  total_photos_uploaded: 655,
  lifetime_days: 63,
});

function renderPage(overrides: Parameters<typeof mockServer>[0] = {}) {
  const server = mockServer({
    'GET /api/events/analytics': () =>
      json({ summary, recent_deleted_events: [gone], all_events: [], days: [today] }),
    'GET /api/subscription/credits': () => json(credits),
    'GET /api/events/': () => json([anEvent(), anEvent({ id: 'e2' })]),
    ...listing(() => [anEvent(), anEvent({ id: 'e2' })]),
    'GET /api/photos/count': () => json({ total_count: 77 }),
    ...overrides,
  });
  const { client, unmount } = renderScreen(
    <OverviewPage upgrade={null} addCredits={<p>credit panel</p>} />,
    '/admin/overview',
  );
  return { ...server, client, unmount };
}

const card = (name: string) => within(screen.getByRole('region', { name }));

beforeEach(signIn);

describe('/admin/overview', () => {
  it('shows the four figures [DASH001] [DASH002] [DASH004] [DASH005] [DASH006] [DASH011]', async () => {
    renderPage();
    expect(await card('Active Events').findByText('5')).toBeVisible();
    expect(card('Active Events').getByText('2 deleted')).toBeVisible();
    expect(card('Total Photos Uploaded').getByText('3,482')).toBeVisible();
    expect(await card('Available Credits').findByText('1,618')).toBeVisible();
    expect(card('Total Earned').getByText('5,100')).toBeVisible();
    expect(screen.getByText('credit panel')).toBeVisible();
  });

  it("says 'All events active' when none was deleted [DASH003]", async () => {
    renderPage({
      'GET /api/events/analytics': () =>
        json({
          summary: { ...summary, deleted_events: 0 },
          recent_deleted_events: [],
          all_events: [],
          days: [],
        }),
    });
    await card('Active Events').findByText('5');
    expect(card('Active Events').getByText('All events active')).toBeVisible();
  });

  it('says how far photos are described anew, and nothing where none waits [FACE540]', async () => {
    const renewing = (renewal: object | null) => ({
      'GET /api/events/analytics': () =>
        json({ summary, recent_deleted_events: [], all_events: [], days: [], renewal }),
    });
    const { unmount } = renderPage(renewing({ described: 12_400, total: 100_000, seconds_left: 7_300 }));
    const text =
      'Face search is being renewed: 12,400 of 1,00,000 photos are through, about 2 hours left. Guests find all of them meanwhile.';
    expect(await screen.findByText(text)).toBeVisible();
    unmount();
    const second = renderPage(renewing({ described: 0, total: 3, seconds_left: null }));
    expect(await screen.findByText(/0 of 3 photos are through\. Guests find/u)).toBeVisible();
    second.unmount();
    renderPage(renewing(null));
    await card('Active Events').findByText('5');
    expect(screen.queryByText(/renewed/u)).toBeNull();
  });

  it('links to the four screens [DASH007] [DASH008] [DASH009] [DASH010]', () => {
    renderPage();
    const links = card('Quick Actions').getAllByRole('link');
    const labels = ['Create event', 'Manage events', 'Upload photos', 'Open gallery'];
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/admin/event-registration',
      '/admin/events',
      '/admin/upload',
      '/admin/gallery',
    ]);
    links.forEach((link, index) => expect(link).toHaveTextContent(labels[index] ?? ''));
  });

  it('shows the account summary [DASH012]', async () => {
    renderPage();
    await card('Account Summary').findByText('₹1,618');
    await card('Account Summary').findByText('7');
    const summary = screen.getByRole('region', { name: 'Account Summary' });
    const terms = [...summary.querySelectorAll('dt')].map((term) => [
      term.firstChild?.textContent,
      term.nextElementSibling?.textContent,
    ]);
    expect(terms).toEqual([
      ['Available credits', '₹1,618'],
      ['Total earned', '₹5,100'],
      ['Total spent', '₹3,482'],
      ['Total events', '7'],
      ['Active events', '5'],
      ['Total photos', '3,482'],
    ]);
  });

  it('explains what was earned and spent, and says each number of the events once [DASH021]', async () => {
    renderPage();
    await card('Account Summary').findByText('₹1,618');
    expect(card('Total Earned').getByText('Credits given or bought, not income')).toBeVisible();
    expect(card('Account Summary').getByText('Credits for uploads')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Quick Actions' }).textContent).not.toMatch(/\d/);
  });

  it('names the premium plan beside what was spent [DASH021]', async () => {
    storedUser.write({ name: 'Meera', email: 'm@example.com', is_photographer: true, premium: true });
    renderPage();
    expect(
      await card('Account Summary').findByText(
        'Credits for uploads; the premium plan was paid beside them, once',
      ),
    ).toBeVisible();
  });

  it('lists what was deleted in the last 30 days, and when, and nothing older [DASH013] [DASH014] [CONST020]', async () => {
    const deleted = (name: string, days: number) => anEvent({ id: name, name, deleted_at: daysAgo(days) });
    renderPage({
      'GET /api/events/analytics': () =>
        json({
          summary,
          recent_deleted_events: [gone, deleted('Younger', 29), deleted('Older', 31)],
          all_events: [],
          days: [today],
        }),
    });
    const row = await card('Recently Deleted Events').findByRole('row', { name: /Marathon/ });
    const columns = card('Recently Deleted Events').getAllByRole('columnheader');
    const shown: [column: string, value: string][] = [
      ['Event', 'Marathon'],
      ['Created', '2 Sep 2026'],
      ['Deleted', formatDayOf(gone.deleted_at ?? '')],
      ['Photos', '655'],
      ['Lifetime days', '63'],
    ];
    expect(columns.map(({ textContent }) => textContent)).toEqual(shown.map(([column]) => column));
    const cells = within(row).getAllByRole('cell');
    shown.forEach(([, name], index) => expect(within(row).getByRole('cell', { name })).toBe(cells[index]));
    // On phones each row is a card: nothing scrolls sideways, so that nothing takes the focus for it.
    expect(screen.getByRole('region', { name: 'Recently Deleted Events' })).not.toHaveAttribute('tabindex');
    expect(screen.getByRole('row', { name: /Younger/ })).toBeVisible();
    expect(screen.queryByRole('row', { name: /Older/ })).toBeNull();
  });

  it('restores what was deleted in the last 7 days, or deletes it for good after a question [EVT157]', async () => {
    const user = userEvent.setup();
    const soon = new Date(Date.now() + 4 * 86_400_000).toISOString();
    const restorable = anEvent({ ...gone, id: 'e10', name: 'Sangeet', restorable_until: soon });
    const server = renderPage({
      'GET /api/events/analytics': () =>
        json({ summary, recent_deleted_events: [restorable, gone], all_events: [], days: [today] }),
      'POST /api/events/e10/restore': () => json(anEvent({ id: 'e10', name: 'Sangeet' })),
      'POST /api/events/e10/purge': () => new Response(null, { status: 204 }),
    });
    const deleted = card('Recently Deleted Events');
    const row = await deleted.findByRole('row', { name: /Sangeet/ });
    expect(within(row).getByText(`Until ${formatDayOf(soon)}`)).toBeVisible();
    expect(within(screen.getByRole('row', { name: /Marathon/ })).queryByRole('button')).toBeNull();
    await user.click(within(row).getByRole('button', { name: 'Restore Sangeet' }));
    expect(
      await screen.findByText('Sangeet is restored. Its photos come back within a minute.'),
    ).toBeVisible();
    expect(server.callsTo('POST /api/events/e10/restore')).toHaveLength(1);
    await waitFor(() => expect(server.callsTo('GET /api/events/analytics').length).toBeGreaterThan(1));

    await user.click(within(row).getByRole('button', { name: 'Delete Sangeet for good now' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Delete Sangeet for good?' }));
    expect(server.callsTo('POST /api/events/e10/purge')).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Delete for good now' }));
    await waitFor(() => expect(server.callsTo('POST /api/events/e10/purge')).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says why an event cannot be restored any more', async () => {
    const user = userEvent.setup();
    const soon = new Date(Date.now() + 60_000).toISOString();
    const late = 'This event can no longer be restored.';
    renderPage({
      'GET /api/events/analytics': () =>
        json({
          summary,
          recent_deleted_events: [{ ...gone, restorable_until: soon }],
          all_events: [],
          days: [today],
        }),
      'POST /api/events/e9/restore': () => errorResponse(409, late, 'event_not_restorable'),
    });
    await user.click(await screen.findByRole('button', { name: 'Restore Marathon' }));
    expect(await screen.findByText(late)).toBeVisible();
  });

  it('shows uploads and searches of the last 30 days as a chart with a summary and as a table', async () => {
    renderPage();
    const activity = within(await screen.findByRole('region', { name: 'Last 30 days' }));
    expect(
      await activity.findByRole('img', { name: /^1,240 photos uploaded in the last 30 days, most on / }),
    ).toBeVisible();
    expect(activity.getByRole('img', { name: /^7 face searches/ }).querySelectorAll('rect')).toHaveLength(30);
    const rows = within(activity.getByRole('table')).getAllByRole('row');
    expect(rows).toHaveLength(2);
    expect(rows[1]).toHaveTextContent('1,2407');
  });

  it('falls back to the list of events, and counts no photos where that fails too [DASH018] [DASH019] (U42)', async () => {
    renderPage({ 'GET /api/events/analytics': () => errorResponse(500) });
    expect(await card('Active Events').findByText('2')).toBeVisible();
    expect(card('Total Photos Uploaded').getByText('77')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Last 30 days' })).toBeNull();
  });

  it('counts 0 photos when the count fails [DASH019]', async () => {
    renderPage({
      'GET /api/events/analytics': () => errorResponse(500),
      'GET /api/photos/count': () => errorResponse(500),
    });
    await card('Active Events').findByText('2');
    expect(card('Total Photos Uploaded').getByText('0')).toBeVisible();
  });

  it("says 'Failed to load dashboard data' [DASH016]", async () => {
    renderPage({
      'GET /api/events/analytics': () => errorResponse(500),
      'GET /api/events/': () => errorResponse(500),
    });
    expect((await screen.findAllByText('Failed to load dashboard data')).length).toBeGreaterThan(0);
  });

  it('shows the figures it has, and one alert, when they cannot be loaded again [DASH015]', async () => {
    let reachable = true;
    const { client } = renderPage({
      'GET /api/subscription/credits': () => (reachable ? json(credits) : errorResponse(503)),
    });
    expect(await card('Available Credits').findByText('1,618')).toBeVisible();
    reachable = false;
    await act(() => client.refetchQueries());
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
    expect(screen.getAllByText('Failed to load dashboard data')).toHaveLength(1);
    expect(card('Available Credits').getByText('1,618')).toBeVisible();
  });

  it('hides the snackbar after 6 s and keeps the alert with its action [DASH015] [CONST027]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderPage({
      'GET /api/events/analytics': () => errorResponse(500),
      'GET /api/events/': () => errorResponse(500),
    });
    const notices = () => screen.queryAllByText('Failed to load dashboard data');
    await waitFor(() => expect(notices()).toHaveLength(2));
    await act(() => vi.advanceTimersByTimeAsync(5800));
    expect(notices()).toHaveLength(2);
    await act(() => vi.advanceTimersByTimeAsync(1500));
    await waitFor(() => expect(notices()).toHaveLength(1));
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  });

  it.each(['GET /api/events/analytics', 'GET /api/subscription/credits'])(
    'asks for the login when %s answers 401 [DASH017]',
    async (call) => {
      const asked = vi.fn();
      setLoginNavigation(asked);
      renderPage({ [call]: () => errorResponse(401, 'Please log in.') });
      await waitFor(() => expect(asked).toHaveBeenCalled());
      expect(storedToken.read()).toBeNull();
    },
  );
});
