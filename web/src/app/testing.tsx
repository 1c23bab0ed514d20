import { render } from '@testing-library/react';
import { createBrowserRouter, createMemoryRouter, RouterProvider } from 'react-router';
import { App, AppProviders, createQueryClient } from './App';
import { routes } from './routes';

/** Renders what the app shows at a path. */
export function renderRoute(path: string) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <AppProviders client={createQueryClient()}>
      <RouterProvider router={router} />
    </AppProviders>,
  );
  return router;
}

/** Renders the app at the address of the document, or at another one. */
export function renderApp(path = window.location.pathname + window.location.search) {
  window.history.replaceState(null, '', path);
  render(<App router={createBrowserRouter(routes)} />);
}
