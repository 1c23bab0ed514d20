import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedReturn, storedToken, storedUser } from '../platform/storage/storage';
import { listing } from '../testing/events';
import { anEvent } from '../testing/fixtures';
import { signIn } from '../testing/render';
import { json, mockServer } from '../testing/server';
import { AfterglowTheme } from '../ui/theme/AfterglowTheme';
import { createQueryClient } from './App';
import { eventMissing } from '../platform/missingEvent';
import { loadEventDocument, routes } from './routes';
import { renderRoute } from './testing';

// The screens have tests of their own: here each is a stub that identifies its route.
vi.mock('../site/LandingPage', () => ({ default: () => <p>landing</p> }));
vi.mock('../site/PricingPage', () => ({ default: () => <p>pricing</p> }));
vi.mock('../site/ContactPage', () => ({ default: () => <p>contact</p> }));
vi.mock('../site/PrivacyPage', () => ({ default: () => <p>privacy</p> }));
vi.mock('../site/TermsPage', () => ({ default: () => <p>terms</p> }));
vi.mock('../site/RefundsPage', () => ({ default: () => <p>refunds</p> }));
vi.mock('../site/ShippingPage', () => ({ default: () => <p>shipping</p> }));
vi.mock('../site/DemoPage', () => ({ default: () => <p>demo</p> }));
vi.mock('../studio/events/EventsPage', () => ({ default: () => <p>events list</p> }));
vi.mock('../studio/event/photos/GalleryPage', () => ({ default: () => <p>gallery</p> }));
vi.mock('../studio/event/uploads/UploadPage', () => ({ default: () => <p>upload</p> }));
vi.mock('../studio/account/AccountPage', () => ({ default: () => <p>account</p> }));
vi.mock('../studio/payments/PaymentsPage', () => ({ default: () => <p>payments</p> }));
vi.mock('./screens/SettingsScreen', () => ({ default: () => <p>settings</p> }));
vi.mock('./screens/OverviewScreen', () => ({ default: () => <p>overview</p> }));
vi.mock('./screens/EventRegistrationScreen', () => ({ default: () => <p>event registration</p> }));

const adminScreens: [string, string][] = [
  ['/admin/overview', 'overview'],
  ['/admin/events', 'events list'],
  ['/admin/event-registration', 'event registration'],
  ['/admin/upload', 'upload'],
  ['/admin/gallery', 'gallery'],
  ['/admin/payments', 'payments'],
  ['/admin/account', 'account'],
];

const bar = () => screen.queryByRole('banner');

beforeEach(() => {
  mockServer({
    ...listing(() => [anEvent()]),
    'POST /api/auth/logout': () => json({}),
    'HEAD /api/health': () => new Response(null),
  });
});

describe('routes', () => {
  it.each([
    ['/', 'landing'],
    ['/pricing', 'pricing'],
    ['/contact', 'contact'],
    ['/privacy', 'privacy'],
    ['/terms', 'terms'],
    ['/cancellation-refunds', 'refunds'],
    ['/shipping', 'shipping'],
  ])(
    '%s shows its screen under the bar [NAV001] [NAV002] [NAV003] [NAV004] [NAV005] [NAV006] [NAV007] [NAV012] [NAV023]',
    async (path, text) => {
      renderRoute(path);
      expect(await screen.findByText(text)).toBeVisible();
      expect(bar()).toBeVisible();
    },
  );

  it('an invitation has the whole bar for visitors, and the logo alone for photographers', async () => {
    const first = renderRoute('/invitation');
    expect(await screen.findByText(/^The link is not complete\./)).toBeVisible();
    expect(screen.getAllByRole('link', { name: 'Login' })).not.toEqual([]);
    await first.navigate('/');
    signIn();
    await first.navigate('/invitation');
    expect(await screen.findByText(/^The link is not complete\./)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Gallery' })).toBeNull();
  });

  it("an event's link shows the landing page where the server answers it with this document [NAV012] [FACE078]", async () => {
    window.history.replaceState(null, '', '/event/sangeet-k7m2x9q4tr');
    const router = renderRoute('/event/sangeet-k7m2x9q4tr');
    expect(await screen.findByText('landing')).toBeVisible();
    expect(router.state.location.state).toEqual(eventMissing);
    window.history.replaceState(null, '', '/');
  });

  it("an event's link on another screen loads the event's document [NAV012]", () => {
    const request = new Request('http://localhost:8080/event/sangeet-k7m2x9q4tr');
    const { status, headers } = loadEventDocument({ request }) ?? new Response();
    expect(status).toBe(302);
    expect(headers.get('X-Remix-Reload-Document')).toBe('true');
    expect(headers.get('Location')).toBe('/event/sangeet-k7m2x9q4tr');
  });

  it('/demo shows no bar [NAV011] [NAV023]', async () => {
    renderRoute('/demo');
    expect(await screen.findByText('demo')).toBeVisible();
    expect(bar()).toBeNull();
  });

  it.each([
    ['/login', 'Login'],
    ['/register', 'Register'],
    ['/verify-email', 'Verification Failed'],
    ['/forgot-password', 'Forgot password'],
    ['/reset-password', 'New password'],
    ['/agree-email-change', 'Agree to a new email'],
    ['/revoke-email-change', "This wasn't me"],
  ])('%s shows its form [NAV008] [NAV009] [NAV010] [NAV062] [NAV063]', async (path, title) => {
    renderRoute(path);
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
  });

  it.each(adminScreens)(
    '%s shows its screen to a photographer [NAV014] [NAV015] [NAV016] [NAV017] [NAV018] [NAV019] [AUTH079]',
    async (path, text) => {
      signIn();
      renderRoute(`${path}?event=e1`);
      expect(await screen.findByText(text)).toBeVisible();
    },
  );

  it('/admin/team, which mails of before have, is a part of the settings', async () => {
    signIn();
    const router = renderRoute('/admin/team?event=e1');
    expect(await screen.findByText('settings')).toBeVisible();
    const { pathname, search, hash } = router.state.location;
    expect(pathname + search + hash).toBe('/admin/settings?event=e1#team');
  });

  it('/admin redirects to the overview [NAV013]', async () => {
    signIn();
    const router = renderRoute('/admin');
    expect(await screen.findByText('overview')).toBeVisible();
    expect(router.state.location.pathname).toBe('/admin/overview');
  });

  it.each(adminScreens)(
    '%s redirects a visitor to /login, who returns to it [NAV026] [ACC006] [AUTH083]',
    async (path) => {
      const router = renderRoute(`${path}?event=e1`);
      await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
      expect(storedReturn.read()).toEqual({ path: `${path}?event=e1`, reason: null });
    },
  );

  it.each(adminScreens)(
    '%s redirects an account that is no photographer to /login [NAV027]',
    async (path) => {
      storedToken.write('t');
      storedUser.write({ name: 'Guest', email: 'g@example.com', is_photographer: false });
      const router = renderRoute(path);
      await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    },
  );

  it.each(adminScreens)(
    '%s redirects a user that cannot be parsed to /login [NAV028] [STORE015]',
    async (path) => {
      storedToken.write('t');
      localStorage.setItem('user', '{broken');
      const router = renderRoute(path);
      await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    },
  );

  it('leaves an admin screen when the session is cleared', async () => {
    signIn();
    const router = renderRoute('/admin/events');
    await screen.findByText('events list');
    storedToken.remove();
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  });

  it.each([
    ['/admin/login', '/login'],
    ['/admin/register', '/register'],
    ['/nowhere', '/'],
    ['/admin/nowhere', '/'],
    ['/administrator', '/'],
  ])('%s redirects to %s [NAV020] [NAV060] [NAV061] (U06)', async (path, target) => {
    const router = renderRoute(path);
    await waitFor(() => expect(router.state.location.pathname).toBe(target));
  });

  it.each(['/login', '/register'])('%s redirects a photographer to the overview (U05)', async (path) => {
    signIn();
    const router = renderRoute(path);
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/overview'));
  });
});

describe('errors', () => {
  it("shows 'Unexpected Application Error!' [NAV025]", async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken = () => {
      throw new Error('render failed');
    };
    const [root] = routes;
    const router = createMemoryRouter([{ ...root, children: [{ path: '/', Component: broken }] } as never]);
    render(
      <AfterglowTheme>
        <QueryClientProvider client={createQueryClient()}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AfterglowTheme>,
    );
    expect(await screen.findByText('Unexpected Application Error!')).toBeVisible();
    // What the code says is for its console.
    expect(screen.queryByText(/render failed/)).toBeNull();
    expect(screen.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
  });

  /** Renders the app's own route of a path under a path of the other section. */
  function renderMisplaced(path: string, under: string) {
    const [root] = routes;
    const all = (list: RouteObject[] = []): RouteObject[] =>
      list.flatMap((each) => [each, ...all(each.children)]);
    const route = all(root?.children).find((each) => each.path === path);
    const router = createMemoryRouter([{ ...root, children: [{ ...route, path: under }] } as RouteObject], {
      initialEntries: [under],
    });
    render(
      <AfterglowTheme>
        <QueryClientProvider client={createQueryClient()}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AfterglowTheme>,
    );
  }

  it('shows Access Denied for a public page outside the public section [NAV065] [NAV066] [NAV067] [NAV068] [NAV069] [NAV070] [NAV074] (U03) (U08)', async () => {
    renderMisplaced('/pricing', '/admin/x');
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible();
    expect(screen.queryByText('pricing')).toBeNull();
    expect(screen.getByText('admin')).toBeVisible();
    expect(screen.getByText('/admin/x')).toBeVisible();
    expect(screen.getByText(/visit \/admin\/login/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to the public site' })).toHaveAttribute('href', '/');
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it.each(adminScreens)(
    'shows Access Denied for %s outside the admin section [NAV065] [NAV067] [NAV068] [NAV069] [NAV071]',
    async (path, text) => {
      renderMisplaced(path, '/x');
      expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible();
      expect(screen.queryByText(text)).toBeNull();
      expect(screen.getByText('public')).toBeVisible();
      expect(screen.getByText('/x')).toBeVisible();
      expect(screen.getByRole('link', { name: 'Go to the admin panel' })).toHaveAttribute(
        'href',
        '/admin/login',
      );
    },
  );
});
