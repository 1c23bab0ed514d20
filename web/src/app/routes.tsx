import type { ComponentType } from 'react';
import { type LoaderFunction, Navigate, redirect, redirectDocument, type RouteObject } from 'react-router';
import { eventMissing } from '../platform/missingEvent';
import { useLocale } from '../platform/i18n/useLocale';
import { readSession } from '../platform/session/session';
import { storedReturn } from '../platform/storage/storage';
import { AppBar } from './navigation/AppBar';
import { loadPhotographerBar } from './navigation/NavigationBar';
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
    guarded({ index: true, lazy: lazyScreen(() => import('../studio/administration/OverviewPage')) }, true),
    nestedScreen('accounts', () => import('../studio/administration/AccountsPage')),
    nestedScreen('accounts/:id', () => import('../studio/administration/AccountPage')),
    nestedScreen('events', () => import('../studio/administration/EventsPage')),
    nestedScreen('jobs', () => import('../studio/administration/JobsPage')),
    nestedScreen('refunds', () => import('../studio/administration/RefundsPage')),
    nestedScreen('webhooks', () => import('../studio/administration/WebhooksPage')),
    nestedScreen('webhooks/:id', () => import('../studio/administration/WebhookPage')),
    nestedScreen('settings', () => import('../studio/administration/SettingsPage')),
  ],
});

/** The screens of one event, under one header. */
const workspaceRoutes: RouteObject = guarded({
  lazy: lazyScreen(() => import('../studio/shared/events/workspace/Workspace')),
  children: [
    nestedScreen('/admin/upload', () => import('../studio/event/uploads/UploadPage')),
    nestedScreen('/admin/gallery', () => import('../studio/event/photos/GalleryPage')),
    nestedScreen('/admin/trash', () => import('../studio/event/photos/trash/TrashPage')),
    nestedScreen('/admin/people', () => import('../studio/event/people/PeoplePage')),
    nestedScreen('/admin/share', () => import('../studio/event/share/SharePage')),
    nestedScreen('/admin/guests', () => import('../studio/event/guests/GuestsPage')),
    nestedScreen('/admin/statistics', () => import('../studio/event/statistics/StatisticsPage')),
    nestedScreen('/admin/settings', () => import('./screens/SettingsScreen')),
  ],
});

/** The admin section. */
export const adminRoutes: RouteObject = {
  lazy: lazyScreen(async () => {
    // With the bar, which would be asked for when the section is rendered.
    const [layout] = await Promise.all([import('./AdminLayout'), loadPhotographerBar()]);
    return layout;
  }),
  loader: adminSection,
  children: [
    adminScreen('/admin/overview', () => import('./screens/OverviewScreen')),
    adminScreen('/admin/events', () => import('../studio/events/EventsPage')),
    adminScreen('/admin/event-registration', () => import('./screens/EventRegistrationScreen')),
    workspaceRoutes,
    // Mails of earlier versions have it.
    {
      path: '/admin/team',
      loader: ({ request }) => redirect(`/admin/settings${new URL(request.url).search}#team`),
    },
    adminScreen('/admin/payments', () => import('../studio/payments/PaymentsPage')),
    adminScreen('/admin/account', () => import('./screens/AccountScreen')),
    adminScreen('/admin/account/webhooks/:id', () => import('../studio/account/WebhookPage')),
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
          publicScreen('/', () => import('../site/LandingPage'), { bar: 'room' }),
          publicScreen('/pricing', () => import('../site/PricingPage')),
          publicScreen('/contact', () => import('../site/ContactPage')),
          publicScreen('/privacy', () => import('../site/PrivacyPage')),
          publicScreen('/terms', () => import('../site/TermsPage')),
          publicScreen('/cancellation-refunds', () => import('../site/RefundsPage')),
          publicScreen('/shipping', () => import('../site/ShippingPage')),
          publicScreen('/demo', () => import('../site/DemoPage'), { bar: 'none' }),
          {
            path: '/event/:slug',
            loader: loadEventDocument,
            element: <Navigate to="/" replace state={eventMissing} />,
          },
          visitorScreen('/login', () => import('../site/sessions/LoginPage')),
          visitorScreen('/register', () => import('../site/sessions/RegisterPage')),
          publicScreen('/verify-email', () => import('../site/sessions/VerifyEmailPage'), {
            bar: 'form',
          }),
          publicScreen('/invitation', () => import('../site/invitations/InvitationPage'), {
            bar: 'form',
            minimal: 'photographers',
          }),
          publicScreen('/forgot-password', () => import('../site/sessions/ForgotPasswordPage'), {
            bar: 'form',
          }),
          publicScreen('/reset-password', () => import('../site/sessions/ResetPasswordPage'), {
            bar: 'form',
            minimal: 'photographers',
          }),
          publicScreen('/agree-email-change', () => import('../site/sessions/AgreeEmailChangePage'), {
            bar: 'form',
            minimal: 'photographers',
          }),
          publicScreen('/revoke-email-change', () => import('../site/sessions/RevokeEmailChangePage'), {
            bar: 'form',
            minimal: 'photographers',
          }),
          publicScreen('/revoke-registration', () => import('../site/sessions/RevokeRegistrationPage'), {
            bar: 'form',
            minimal: 'photographers',
          }),
        ],
      },
      {
        loader: setupSection,
        children: [
          publicScreen('/setup', () => import('../studio/setup/SetupPage'), { bar: 'form', minimal: true }),
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
