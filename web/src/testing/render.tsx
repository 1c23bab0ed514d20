import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider, useLocation } from 'react-router';
import { SnackbarProvider } from '../ui/SnackbarProvider';
import Workspace from '../studio/shared/events/workspace/Workspace';
import { NotificationProvider } from '../studio/shared/notifications/NotificationProvider';
import { storedToken, storedUser } from '../platform/storage/storage';
import { AfterglowTheme } from '../ui/theme/AfterglowTheme';

/** Writes the session of a photographer to the browser storage. */
export function signIn(): void {
  storedToken.write('secret');
  storedUser.write({ name: 'Meera Krishnan', email: 'meera@studio.example', is_photographer: true });
}

function OtherPath() {
  const { pathname } = useLocation();
  return <p>arrived at {pathname}</p>;
}

/**
 * Shows a screen under `at` inside every provider it needs; leaving its path shows 'arrived at …'.
 * A `layout` renders an `Outlet` and stays mounted when the path changes. A `path` has parameters.
 */
export function renderScreen(
  screen: ReactElement,
  at = '/',
  layout: ReactElement = <Outlet />,
  path = at.split(/[?#]/)[0] ?? at,
) {
  return renderRoutes({ path, element: screen }, at, layout);
}

/** Shows a screen of an event in its workspace. */
export const renderEventScreen = (screen: ReactElement, at: string, layout: ReactElement = <Outlet />) =>
  renderRoutes(
    { element: <Workspace />, children: [{ path: at.split(/[?#]/)[0] ?? at, element: screen }] },
    at,
    layout,
  );

function renderRoutes(shown: RouteObject, at: string, layout: ReactElement) {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false }, mutations: { retry: false } },
  });
  const router = createMemoryRouter(
    [
      {
        element: layout,
        children: [shown, { path: '*', element: <OtherPath /> }],
      },
    ],
    { initialEntries: [at] },
  );
  const view = render(
    <I18nProvider i18n={i18n}>
      <AfterglowTheme>
        <QueryClientProvider client={client}>
          <SnackbarProvider>
            <NotificationProvider>
              <RouterProvider router={router} />
            </NotificationProvider>
          </SnackbarProvider>
        </QueryClientProvider>
      </AfterglowTheme>
    </I18nProvider>,
  );
  return { ...view, client, router };
}
