import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { type createBrowserRouter, RouterProvider } from 'react-router';
import { ApiError } from '../platform/api/errors';
import { useSession } from '../platform/session/session';
import { AfterglowTheme } from '../ui/theme/AfterglowTheme';

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

/** What every screen finds around it. */
export function AppProviders({
  client,
  looks,
  children,
}: {
  client: QueryClient;
  looks?: ComponentProps<typeof AfterglowTheme>['looks'];
  children: ReactNode;
}) {
  return (
    <I18nProvider i18n={i18n}>
      <AfterglowTheme {...(looks && { looks })}>
        <QueryClientProvider client={client}>
          <ClearCacheOnSessionChange client={client} />
          {children}
        </QueryClientProvider>
      </AfterglowTheme>
    </I18nProvider>
  );
}

export function App({ router }: { router: ReturnType<typeof createBrowserRouter> }) {
  const [client] = useState(createQueryClient);
  return (
    <AppProviders client={client}>
      <RouterProvider router={router} />
    </AppProviders>
  );
}
