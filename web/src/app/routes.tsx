import type { ComponentType } from 'react';
import { type LoaderFunction, Navigate, redirect, redirectDocument, type RouteObject } from 'react-router';
import { eventMissing } from '../shared/events/missingEvent';
import { useLocale } from '../shared/i18n/useLocale';
import { readSession } from '../shared/session/session';
import { storedReturn } from '../shared/storage';
import { AppBar } from './navigation/AppBar';
import { isGuestDocument } from './guestDocument';
import { startSectionLanguage } from './language';
import { RootLayout, type RouteHandle } from './RootLayout';
import { RouteError } from './RouteError';

type ImportScreen = () => Promise<{ default: ComponentType }>;

/** A screen whose texts, which are evaluated when it is rendered, follow the language. */
const localized = (Screen: ComponentType): ComponentType =>
  function LocalizedScreen() {
    useLocale();
    return <Screen />;
  };

// A screen is imported when its route is entered.
const lazyScreen =
  (load: ImportScreen): NonNullable<RouteObject['lazy']> =>
  async () => ({ Component: localized((await load()).default) });

/**
 * A route with an error boundary of its own, so that an error in it takes nothing else away: uploads run in a layout above. The
 * boundary is a route above it: the router shows that of a route whose code did not load in no other place.
 */
const guarded = (route: RouteObject, nested = false): RouteObject => ({
  errorElement: <RouteError nested={nested} />,
  children: [route],
});

const publicScreen = (
  path: string,
  load: ImportScreen,
  handle: RouteHandle = {},
  loader?: LoaderFunction,
): RouteObject =>
  guarded({
    path,
    lazy: lazyScreen(load),
    ...(loader !== undefined && { loader }),
    handle: { section: 'public', ...handle } satisfies RouteHandle,
  });

/** A screen for visitors: a photographer who is logged in is redirected to the dashboard. */
const visitorScreen = (path: string, load: ImportScreen): RouteObject =>
  publicScreen(path, load, { bar: 'form' }, () =>
    readSession().isPhotographer ? redirect('/admin/overview') : null,
  );

const adminScreen = (path: string, load: ImportScreen, nested = false): RouteObject =>
  guarded({ path, lazy: lazyScreen(load), handle: { section: 'admin' } satisfies RouteHandle }, nested);

/** A screen in the content of another one. */
const nestedScreen = (path: string, load: ImportScreen): RouteObject => adminScreen(path, load, true);

/** The admin section in its language, in a document in which it is possible to pay. */
const adminSection: LoaderFunction = async ({ request }) => {
  if (!readSession().isPhotographer) {
    const { pathname, search } = new URL(request.url);
    storedReturn.write({ path: pathname + search, reason: null });
    return redirect('/login');
  }
  if (isGuestDocument) return redirectDocument(request.url);
  await startSectionLanguage('admin');
  return null;
};

/** The public pages, in the visitor's language. */
const publicSection: LoaderFunction = async () => {
  await startSectionLanguage('public');
  return null;
};

/** The set-up, which a photographer reads: in the languages of the admin section. */
const setupSection: LoaderFunction = async () => {
  await startSectionLanguage('admin');
  return null;
};

/** The administration, whose screens have a navigation of their own. */
const administrationRoutes: RouteObject = guarded({
  path: '/admin/administration',
  lazy: lazyScreen(() => import('./screens/AdministrationScreen')),
  handle: { section: 'admin' } satisfies RouteHandle,
  children: [
    guarded({ index: true, lazy: lazyScreen(() => import('../features/administration/OverviewPage')) }, true),
    nestedScreen('accounts', () => import('../features/administration/AccountsPage')),
    nestedScreen('accounts/:id', () => import('../features/administration/AccountPage')),
    nestedScreen('events', () => import('../features/administration/EventsPage')),
    nestedScreen('jobs', () => import('../features/administration/JobsPage')),
    nestedScreen('refunds', () => import('../features/administration/RefundsPage')),
    nestedScreen('webhooks', () => import('../features/administration/WebhooksPage')),
    nestedScreen('webhooks/:id', () => import('../features/administration/WebhookPage')),
    nestedScreen('settings', () => import('../features/administration/SettingsPage')),
  ],
});

/** The screens of one event, under one header. */
const workspaceRoutes: RouteObject = guarded({
  lazy: lazyScreen(() => import('../shared/events/workspace/Workspace')),
  children: [
    nestedScreen('/admin/upload', () => import('../features/uploads/UploadPage')),
    nestedScreen('/admin/gallery', () => import('../features/photos/GalleryPage')),
    nestedScreen('/admin/trash', () => import('../features/photos/trash/TrashPage')),
    nestedScreen('/admin/people', () => import('../features/photos/people/PeoplePage')),
    nestedScreen('/admin/share', () => import('../features/events/share/SharePage')),
    nestedScreen('/admin/guests', () => import('../features/photos/guests/GuestsPage')),
    nestedScreen('/admin/statistics', () => import('../features/statistics/StatisticsPage')),
    nestedScreen('/admin/settings', () => import('./screens/SettingsScreen')),
  ],
});

/** The admin section. */
export const adminRoutes: RouteObject = {
  lazy: lazyScreen(() => import('./AdminLayout')),
  loader: adminSection,
  children: [
    adminScreen('/admin/overview', () => import('./screens/OverviewScreen')),
    adminScreen('/admin/events', () => import('../features/events/EventsPage')),
    adminScreen('/admin/event-registration', () => import('./screens/EventRegistrationScreen')),
    workspaceRoutes,
    // Mails of earlier versions have it.
    {
      path: '/admin/team',
      loader: ({ request }) => redirect(`/admin/settings${new URL(request.url).search}#team`),
    },
    adminScreen('/admin/payments', () => import('../features/payments/PaymentsPage')),
    adminScreen('/admin/account', () => import('./screens/AccountScreen')),
    administrationRoutes,
  ],
};

const redirectTo = (target: string) => () => redirect(target);

/** Shown until the first screen of a document is loaded. */
export const HydrateFallback = () => <AppBar tone="solid" logoTarget="/" links={[]} />;

/**
 * An event has a document of its own. This one is what the server answers for the link of no event; from another screen,
 * the event's document is loaded.
 */
export function loadEventDocument({ request }: { request: Request }): Response | null {
  const { pathname } = new URL(request.url);
  return pathname === window.location.pathname ? null : redirectDocument(pathname);
}

export const routes: RouteObject[] = [
  {
    element: <RootLayout />,
    errorElement: <RouteError />,
    HydrateFallback,
    children: [
      {
        loader: publicSection,
        children: [
          publicScreen('/', () => import('../features/site/LandingPage'), { bar: 'room' }),
          publicScreen('/pricing', () => import('../features/site/PricingPage')),
          publicScreen('/contact', () => import('../features/site/ContactPage')),
          publicScreen('/privacy', () => import('../features/site/PrivacyPage')),
          publicScreen('/terms', () => import('../features/site/TermsPage')),
          publicScreen('/cancellation-refunds', () => import('../features/site/RefundsPage')),
          publicScreen('/shipping', () => import('../features/site/ShippingPage')),
          publicScreen('/demo', () => import('../features/site/DemoPage'), { bar: 'none' }),
          {
            path: '/event/:slug',
            loader: loadEventDocument,
            element: <Navigate to="/" replace state={eventMissing} />,
          },
          visitorScreen('/login', () => import('../features/sessions/LoginPage')),
          visitorScreen('/register', () => import('../features/sessions/RegisterPage')),
          publicScreen('/verify-email', () => import('../features/sessions/VerifyEmailPage'), {
            bar: 'form',
          }),
          publicScreen('/invitation', () => import('../features/invitations/InvitationPage'), {
            bar: 'form',
            minimal: 'photographers',
          }),
          publicScreen('/forgot-password', () => import('../features/sessions/ForgotPasswordPage'), {
            bar: 'form',
          }),
          publicScreen('/reset-password', () => import('../features/sessions/ResetPasswordPage'), {
            bar: 'form',
            minimal: 'photographers',
          }),
          publicScreen('/agree-email-change', () => import('../features/sessions/AgreeEmailChangePage'), {
            bar: 'form',
            minimal: 'photographers',
          }),
          publicScreen('/revoke-email-change', () => import('../features/sessions/RevokeEmailChangePage'), {
            bar: 'form',
            minimal: 'photographers',
          }),
          publicScreen('/revoke-registration', () => import('../features/sessions/RevokeRegistrationPage'), {
            bar: 'form',
            minimal: 'photographers',
          }),
        ],
      },
      {
        loader: setupSection,
        children: [
          publicScreen('/setup', () => import('../features/setup/SetupPage'), { bar: 'form', minimal: true }),
        ],
      },
      { path: '/admin', loader: redirectTo('/admin/overview') },
      { path: '/admin/login', loader: redirectTo('/login') },
      { path: '/admin/register', loader: redirectTo('/register') },
      adminRoutes,
      { path: '*', loader: redirectTo('/') },
    ],
  },
];
