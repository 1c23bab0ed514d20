import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { ApiError } from '../platform/api/errors';
import { useSession } from '../platform/session/session';
import { AfterglowTheme } from '../ui/theme/AfterglowTheme';
import { routes } from './routes';

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // The default mode pauses requests while offline, so that a submitted form would wait without an error. With 'always'
      // they fail and show it; queries refetch when the network is back.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 15_000,
        // Retry network errors only: an error response would stay the same.
        retry: (failures, error) => failures < 2 && (!(error instanceof ApiError) || error.status === 0),
      },
    },
  });

/** Clears the query cache when the session changes. */
function ClearCacheOnSessionChange({ client }: { client: QueryClient }) {
  const { token } = useSession();
  useEffect(() => () => client.clear(), [client, token]);
  return null;
}

type Router = ReturnType<typeof createBrowserRouter>;

export function App({ createRouter = () => createBrowserRouter(routes) }: { createRouter?: () => Router }) {
  const [client] = useState(createQueryClient);
  const [router] = useState(createRouter);
  return (
    <I18nProvider i18n={i18n}>
      <AfterglowTheme>
        <QueryClientProvider client={client}>
          <ClearCacheOnSessionChange client={client} />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AfterglowTheme>
    </I18nProvider>
  );
}
