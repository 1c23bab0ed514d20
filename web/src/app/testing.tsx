import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { AfterglowTheme } from '../ui/theme/AfterglowTheme';
import { createQueryClient } from './App';
import { routes } from './routes';

/** Renders what the app shows at a path. */
export function renderRoute(path: string) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <I18nProvider i18n={i18n}>
      <AfterglowTheme>
        <QueryClientProvider client={createQueryClient()}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AfterglowTheme>
    </I18nProvider>,
  );
  return router;
}
