import type { ComponentType } from 'react';
import { redirect, type RouteObject } from 'react-router';
import { readSession } from '../shared/session/session';
import { BarFrame } from './navigation/BarFrame';
import { RootLayout, type RouteFrame } from './RootLayout';
import { RouteError } from './RouteError';

type Screen = () => Promise<{ default: ComponentType }>;

// A screen's code is fetched when its route is entered, never before.
const screen =
  (load: Screen): NonNullable<RouteObject['lazy']> =>
  async () => ({ Component: (await load()).default });

const publicScreen = (path: string, load: Screen, frame: RouteFrame = {}): RouteObject => ({
  path,
  lazy: screen(load),
  handle: { section: 'public', ...frame } satisfies RouteFrame,
});

/** A door for visitors: a photographer who is logged in is sent on to the dashboard. */
const visitorScreen = (path: string, load: Screen): RouteObject => ({
  ...publicScreen(path, load, { bar: 'form' }),
  loader: () => (readSession().isPhotographer ? redirect('/admin/overview') : null),
});

const adminScreen = (path: string, load: Screen): RouteObject => ({
  path,
  lazy: screen(load),
  handle: { section: 'admin' } satisfies RouteFrame,
});

const sendTo = (target: string) => () => redirect(target);

export const routes: RouteObject[] = [
  {
    element: <RootLayout />,
    errorElement: <RouteError />,
    HydrateFallback: () => <BarFrame tone="solid" logoTarget="/" links={[]} />,
    children: [
      publicScreen('/', () => import('../features/site/LandingPage'), { bar: 'room' }),
      publicScreen('/pricing', () => import('../features/site/PricingPage')),
      publicScreen('/contact', () => import('../features/site/ContactPage')),
      publicScreen('/privacy', () => import('../features/site/PrivacyPage')),
      publicScreen('/terms', () => import('../features/site/TermsPage')),
      publicScreen('/cancellation-refunds', () => import('../features/site/RefundsPage')),
      publicScreen('/shipping', () => import('../features/site/ShippingPage')),
      publicScreen('/demo', () => import('../features/site/DemoPage'), { bar: 'none' }),
      publicScreen('/event/:slug', () => import('../features/guest/EventPage'), { bar: 'sky' }),
      visitorScreen('/login', () => import('../features/sessions/LoginPage')),
      visitorScreen('/register', () => import('../features/sessions/RegisterPage')),
      publicScreen('/verify-email', () => import('../features/sessions/VerifyEmailPage'), { bar: 'form' }),
      publicScreen('/forgot-password', () => import('../features/sessions/ForgotPasswordPage'), {
        bar: 'form',
      }),
      publicScreen('/reset-password', () => import('../features/sessions/ResetPasswordPage'), {
        bar: 'form',
      }),
      { path: '/admin', loader: sendTo('/admin/overview') },
      { path: '/admin/login', loader: sendTo('/login') },
      { path: '/admin/register', loader: sendTo('/register') },
      {
        lazy: screen(() => import('./AdminLayout')),
        loader: () => (readSession().isPhotographer ? null : redirect('/login')),
        children: [
          adminScreen('/admin/overview', () => import('./screens/OverviewScreen')),
          adminScreen('/admin/events', () => import('../features/events/EventsPage')),
          adminScreen('/admin/event-registration', () => import('./screens/EventRegistrationScreen')),
          adminScreen('/admin/upload', () => import('../features/uploads/UploadPage')),
          adminScreen('/admin/gallery', () => import('../features/photos/GalleryPage')),
          adminScreen('/admin/account', () => import('../features/accounts/AccountPage')),
        ],
      },
      { path: '*', loader: sendTo('/') },
    ],
  },
];
