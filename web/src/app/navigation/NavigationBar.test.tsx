import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event } from '../../platform/api/types';
import { useNotifications } from '../../studio/shared/notifications/context';
import { selectEvent } from '../../platform/session/selection';
import { registerUnsavedWorkGuard } from '../../platform/session/unsavedWork';
import { storedSelectedEvent, storedToken, storedUser } from '../../platform/storage/storage';
import { listing } from '../../testing/events';
import { anEvent } from '../../testing/fixtures';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { initialsOf } from './AccountMenu';
import { NavigationBar } from './NavigationBar';

const event = (id: string, name: string, deleting = false): Event =>
  anEvent({ id, name, slug: `${id}-k7m2x9q4tr`, deleting, task_id: deleting ? 't' : null });
const events = [event('e1', 'Sangeet'), event('e2', 'Dinner'), event('e3', 'Harbour', true)];

const linksOf = (name: string) =>
  within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

async function renderPhotographerBar(at = '/admin/overview') {
  signIn();
  const server = mockServer({
    ...listing(() => events),
    'POST /api/auth/logout': () => json({}),
  });
  const view = renderScreen(<NavigationBar tone="solid" />, at);
  await screen.findByRole('button', { name: /event/i });
  return { server, ...view };
}

describe("a visitor's bar", () => {
  it('has Pricing, Contact, Login and Register, and no tools [NAV029] [NAV035]', () => {
    const server = mockServer({});
    renderScreen(<NavigationBar tone="solid" />, '/pricing');
    expect(linksOf('Main')).toEqual([
      ['Pricing', '/pricing'],
      ['Contact', '/contact'],
      ['Login', '/login'],
      ['Register', '/register'],
    ]);
    expect(screen.getByRole('link', { name: 'Afterglow' })).toHaveAttribute('href', '/');
    expect(screen.queryByRole('button', { name: /event/i })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Notifications' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Account/u })).toBeNull();
    expect(server.calls).toHaveLength(0);
  });

  it('shows only Home for a session that is no photographer, and fetches no events [NAV035] [NAV039] [NAV054] (U02)', async () => {
    storedToken.write('t');
    storedUser.write({ name: 'G', email: 'g@example.com', is_photographer: false });
    const server = mockServer({});
    renderScreen(<NavigationBar tone="solid" />, '/');
    expect(linksOf('Main')).toEqual([['Home', '/']]);
    // The photographer's part of the bar is loaded lazily: a call would come after it.
    await import('./PhotographerBar');
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(server.calls).toHaveLength(0);
    expect(screen.queryByRole('button', { name: /event/i })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Notifications' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Account/u })).toBeNull();
  });

  it('shows only the logo when minimal [NAV040] (U03)', () => {
    renderScreen(<NavigationBar tone="solid" minimal />, '/');
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(screen.getByRole('link', { name: 'Afterglow' })).toBeVisible();
  });

  it('collapses its links into a menu [NAV041]', async () => {
    renderScreen(<NavigationBar tone="sky" />, '/event/x');
    const button = screen.getByRole('button', { name: 'Menu' });
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    expect(linksOf('Menu').map(([text]) => text)).toEqual(['Pricing', 'Contact', 'Login', 'Register']);
    await userEvent.keyboard('{Escape}');
    expect(button).toHaveAttribute('aria-expanded', 'false');
  });
});

function scrollTo(y: number) {
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
  act(() => void window.dispatchEvent(new Event('scroll')));
}

describe('scrolling', () => {
  beforeEach(() => scrollTo(0));
  const header = () => document.querySelector('header');

  it('hides the bar of / when scrolling down beyond 100 px and shows it when scrolling up [NAV042] [NAV043] [CONST033]', () => {
    renderScreen(<NavigationBar tone="room" />, '/');
    scrollTo(100);
    expect(header()).toHaveAttribute('data-hidden', 'false');
    scrollTo(101);
    expect(header()).toHaveAttribute('data-hidden', 'true');
    scrollTo(90);
    expect(header()).toHaveAttribute('data-hidden', 'false');
  });

  it('does not hide the bar elsewhere [NAV044]', () => {
    renderScreen(<NavigationBar tone="solid" />, '/pricing');
    scrollTo(600);
    expect(header()).toHaveAttribute('data-hidden', 'false');
  });
});

describe("a photographer's bar", () => {
  it('has the four links, switcher, bell and account [NAV030] [NAV031] [NAV032] [NAV036] (U04)', async () => {
    await renderPhotographerBar('/pricing');
    expect(linksOf('Main')).toEqual([
      ['Dashboard', '/admin/overview'],
      ['Events', '/admin/events'],
      ['Upload', '/admin/upload'],
      ['Gallery', '/admin/gallery'],
    ]);
    expect(screen.getByRole('button', { name: 'Notifications' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Afterglow' })).toHaveAttribute('href', '/admin/overview');
  });

  it('links to the profile and logs out [NAV033] [NAV034] [NAV057] [NAV059] [AUTH070]', async () => {
    const { server } = await renderPhotographerBar();
    selectEvent(events[0] as Event);
    fireEvent.click(screen.getByLabelText(/^Account/u));
    expect(screen.getByRole('menuitem', { name: 'Profile Settings' })).toHaveAttribute(
      'href',
      '/admin/account',
    );
    await userEvent.click(screen.getByRole('menuitem', { name: 'Logout' }));
    expect(await screen.findByText('arrived at /login')).toBeVisible();
    expect(localStorage).toHaveLength(0);
    expect(server.callsTo('POST /api/auth/logout')[0]?.headers.get('Authorization')).toBe('Bearer secret');
  });

  it('moves the account items into the menu of a narrow bar [NAV041]', async () => {
    await renderPhotographerBar();
    fireEvent.click(screen.getByLabelText('Menu'));
    const menu = within(screen.getByRole('navigation', { name: 'Menu', hidden: true }));
    expect(menu.getByRole('link', { name: 'Profile Settings', hidden: true })).toHaveAttribute(
      'href',
      '/admin/account',
    );
    fireEvent.click(menu.getByRole('button', { name: 'Logout', hidden: true }));
    expect(await screen.findByText('arrived at /login')).toBeVisible();
  });

  it('lists the events, marks the selected one, and refetches on opening [NAV045] [NAV046] [NAV047] [NAV048] [NAV049]', async () => {
    const { server } = await renderPhotographerBar();
    const own = () => server.callsTo('GET /api/events/search').filter(({ query }) => !query.has('shared'));
    const fetched = (times: number) => waitFor(() => expect(own()).toHaveLength(times));
    expect(server.callsTo('GET /api/events/search')).toHaveLength(0);
    await userEvent.click(screen.getByRole('button', { name: 'Choose event' }));
    await fetched(1);
    const options = await screen.findAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual([
      'Sangeet14 Nov 2026',
      'Dinner14 Nov 2026',
      'Harbour14 Nov 2026 (Deleting...)',
    ]);
    expect(options[2]).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(options[1] as HTMLElement);
    expect(storedSelectedEvent.read()?.id).toBe('e2');
    await userEvent.click(await screen.findByRole('button', { name: /Dinner.*change event/ }));
    expect(await screen.findByRole('option', { name: /Dinner/ })).toHaveAttribute('aria-selected', 'true');
    // The selected event was looked up when it was chosen, and is again with the list.
    await fetched(4);
  });

  it('shows the cover of an event, small, and its sky where it has none or it cannot be loaded [GAL450]', async () => {
    const covered = { cover_url: '/a', cover_thumbnail_url: '/files/small', cover_focus: { x: 0.5, y: 0.3 } };
    signIn();
    mockServer(listing(() => [{ ...event('e1', 'Sangeet'), ...covered }, event('e2', 'Dinner')]));
    renderScreen(<NavigationBar tone="solid" />, '/admin/overview');
    await userEvent.click(await screen.findByRole('button', { name: 'Choose event' }));
    const options = await screen.findAllByRole('option');
    const pictures = () => options.map((option) => option.querySelector('img')?.getAttribute('src'));
    expect(pictures()).toEqual(['/files/small', '/covers/e2-k7m2x9q4tr.svg']);
    const small = options[0]?.querySelector('img') as HTMLImageElement;
    expect(small).toHaveStyle({ objectPosition: '50% 20%' });
    fireEvent.error(small);
    expect(pictures()[0]).toBe('/covers/e1-k7m2x9q4tr.svg');
  });

  it('clears the selection on opening when its event is gone by then [NAV048] [NAV053]', async () => {
    signIn();
    selectEvent(events[0] as Event);
    let there = events;
    const server = mockServer(listing(() => there));
    renderScreen(<NavigationBar tone="solid" />, '/admin/overview');
    const button = await screen.findByRole('button', { name: /Sangeet/ });
    await waitFor(() => expect(server.callsTo('GET /api/events/search')).toHaveLength(1));
    there = events.slice(1);
    await userEvent.click(button);
    await waitFor(() => expect(storedSelectedEvent.read()).toBeNull());
  });

  it('finds an event among many by its name, page by page, without taking the focus', async () => {
    const many = Array.from({ length: 30 }, (_, number) => event(`n${number}`, `Party ${number}`));
    signIn();
    mockServer(listing(() => [...many, event('e2', 'Dinner')]));
    renderScreen(<NavigationBar tone="solid" />, '/admin/overview');
    await userEvent.click(await screen.findByRole('button', { name: 'Choose event' }));
    const names = () => screen.queryAllByRole('option').map((option) => option.textContent);
    await waitFor(() => expect(names()).toHaveLength(24));
    await waitFor(() => expect(screen.getAllByRole('option')[0]).toHaveFocus());
    await userEvent.click(screen.getByRole('button', { name: 'Show more events' }));
    await waitFor(() => expect(names()).toHaveLength(31));
    await waitFor(() => expect(screen.getAllByRole('option')[24]).toHaveFocus());
    const field = screen.getByRole('searchbox', { name: 'Find events by name' });
    await userEvent.type(field, 'dinn');
    await waitFor(() => expect(names()).toEqual(['Dinner14 Nov 2026']));
    expect(field).toHaveFocus();
    await userEvent.type(field, 'x');
    expect(await screen.findByText('No event is called that.')).toBeVisible();
    await userEvent.clear(field);
    await waitFor(() => expect(names()).toHaveLength(31));
    expect(field).toHaveFocus();
  });

  it('puts the selected event into the links to upload and gallery', async () => {
    await renderPhotographerBar();
    act(() => selectEvent(events[1] as Event));
    expect(linksOf('Main').slice(2)).toEqual([
      ['Upload', '/admin/upload?event=e2'],
      ['Gallery', '/admin/gallery?event=e2'],
    ]);
  });

  it('changes the event of the gallery in the address, unless uploads would be cancelled', async () => {
    const { router } = await renderPhotographerBar('/admin/gallery?event=e1');
    const choose = async (name: RegExp) => {
      await userEvent.click(screen.getByRole('button', { name: /Choose event|change event/ }));
      await userEvent.click(await screen.findByRole('option', { name }));
    };
    const release = registerUnsavedWorkGuard(() => Promise.resolve(false));
    await choose(/Dinner/);
    expect(router.state.location.search).toBe('?event=e1');
    release();
    await choose(/Dinner/);
    await waitFor(() => expect(router.state.location.search).toBe('?event=e2'));
    await act(() => router.navigate(-1));
    expect(router.state.location.search).toBe('?event=e1');
  });

  it('does not select an event that is being deleted [NAV050]', async () => {
    await renderPhotographerBar();
    await userEvent.click(screen.getByRole('button', { name: 'Choose event' }));
    fireEvent.click(await screen.findByRole('option', { name: /Harbour/ }));
    expect(storedSelectedEvent.read()).toBeNull();
  });

  it('shows an empty list and no error when the events cannot be loaded, and keeps the selection [NAV055] (X27)', async () => {
    signIn();
    selectEvent(events[0] as Event);
    mockServer({ 'GET /api/events/search': () => errorResponse(500, 'boom') });
    renderScreen(<NavigationBar tone="solid" />, '/admin/overview');
    await userEvent.click(await screen.findByRole('button', { name: /Sangeet/ }));
    expect(await screen.findByRole('option', { name: 'No events created yet' })).toBeVisible();
    expect(screen.queryByText('boom')).toBeNull();
    expect(storedSelectedEvent.read()?.id).toBe('e1');
  });
});

function NotificationButtons({ count }: { count: number }) {
  const { notify, endDeletion } = useNotifications();
  return (
    <>
      <button
        onClick={() => {
          for (let index = 1; index <= count; index += 1) {
            notify({ type: 'error', title: `Title ${index}`, message: `Message ${index}` });
          }
        }}
      >
        notify
      </button>
      <button
        onClick={() =>
          notify({
            type: 'deletion',
            title: 'Deleting Event',
            message: 'x',
            eventId: 'e3',
            eventName: 'Harbour',
          })
        }
      >
        deletion
      </button>
      <button onClick={() => endDeletion('e3', 'completed', 'Event Deleted', 'gone')}>end</button>
    </>
  );
}

async function renderBell(count: number) {
  signIn();
  mockServer(listing(() => []));
  renderScreen(
    <>
      <NavigationBar tone="solid" />
      <NotificationButtons count={count} />
    </>,
    '/admin/overview',
  );
  await screen.findByRole('button', { name: 'Notifications' });
}

describe('the notification bell', () => {
  it("says 'No notifications' when empty [NOTE010]", async () => {
    await renderBell(0);
    await userEvent.click(screen.getByRole('button', { name: 'Notifications' }));
    expect(await screen.findByText('No notifications')).toBeVisible();
  });

  it('lists ten with the number of the others, and clears all [NOTE005] [NOTE007] [NOTE008] [NOTE009] [NOTE011] [CONST021]', async () => {
    await renderBell(13);
    await userEvent.click(screen.getByText('notify'));
    await userEvent.click(screen.getByRole('button', { name: 'Notifications, 13 unread' }));
    const dialog = await screen.findByRole('dialog', { name: 'Notifications' });
    expect(within(dialog).getAllByText(/^Title/)).toHaveLength(10);
    expect(within(dialog).getByText('Message 13')).toBeVisible();
    expect(dialog.querySelectorAll('time')).toHaveLength(10);
    expect(within(dialog).getByText('... and 3 more')).toBeVisible();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Clear All' }));
    expect(await screen.findByText('No notifications')).toBeVisible();
  });

  it('marks all notifications read at once [NOTE016]', async () => {
    await renderBell(3);
    await userEvent.click(screen.getByText('notify'));
    await userEvent.click(screen.getByRole('button', { name: 'Notifications, 3 unread' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Mark all read' }));
    expect(screen.queryAllByRole('img', { name: 'Unread' })).toHaveLength(0);
    expect(screen.getByRole('button', { name: 'Notifications', hidden: true })).toBeInTheDocument();
    expect(screen.getAllByText(/^Title/)).toHaveLength(3);
    expect(screen.queryByRole('button', { name: 'Mark all read' })).toBeNull();
  });

  it('removes a single notification [NOTE017]', async () => {
    await renderBell(3);
    await userEvent.click(screen.getByText('notify'));
    await userEvent.click(screen.getByRole('button', { name: 'Notifications, 3 unread' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Title 2' }));
    expect(screen.getAllByText(/^Title/).map((title) => title.textContent)).toEqual(['Title 3', 'Title 1']);
    expect(screen.getAllByRole('img', { name: 'Unread' })).toHaveLength(2);
  });

  it('shows at most 99+ [NOTE006] [CONST022] (U09)', async () => {
    await renderBell(120);
    await userEvent.click(screen.getByText('notify'));
    expect(await screen.findByText('99+')).toBeVisible();
  });

  it('marks a clicked notification read, and removes a finished deletion after 100 ms [NOTE012] [NOTE013] [NOTE014] [CONST026] (U11)', async () => {
    await renderBell(1);
    await userEvent.click(screen.getByText('deletion'));
    await userEvent.click(screen.getByText('notify'));
    await userEvent.click(screen.getByRole('button', { name: 'Notifications, 2 unread' }));
    await userEvent.click(await screen.findByText('Title 1'));
    expect(screen.getAllByRole('img', { name: 'Unread' })).toHaveLength(1);
    await userEvent.click(screen.getByText('Deleting Event'));
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(screen.getByText('Deleting Event')).toBeVisible();
    fireEvent.click(screen.getByText('end'));
    const ended = await screen.findByText('Event Deleted');
    vi.useFakeTimers();
    fireEvent.click(ended);
    await act(() => vi.advanceTimersByTimeAsync(99));
    expect(ended).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.queryByText('Event Deleted')).toBeNull();
  });
});

describe('initials', () => {
  it('are the first letters of first and last name', () => {
    expect(initialsOf('Meera Anita Krishnan')).toBe('MK');
    expect(initialsOf('meera')).toBe('M');
    expect(initialsOf('  ')).toBe('');
  });
});
