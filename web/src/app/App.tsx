import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { ApiError } from '../shared/api/errors';
import { useSession } from '../shared/session/session';
import { AfterglowTheme } from '../shared/theme/AfterglowTheme';
import { routes } from './routes';

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // By default what is asked without a network waits for it, and a form that was sent says nothing for ever: it is
      // tried, and fails, and says so. What is shown is asked for anew once the network is back.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 15_000,
        // An answer that says no stays no; only a lost network is worth another try.
        retry: (failures, error) => failures < 2 && (!(error instanceof ApiError) || error.status === 0),
      },
    },
  });

/** What was loaded for one login is forgotten with it. */
function ForgetWithLogin({ client }: { client: QueryClient }) {
  const { token } = useSession();
  useEffect(() => () => client.clear(), [client, token]);
  return null;
}

export function App() {
  const [client] = useState(createQueryClient);
  const [router] = useState(() => createBrowserRouter(routes));
  return (
    <AfterglowTheme>
      <QueryClientProvider client={client}>
        <ForgetWithLogin client={client} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </AfterglowTheme>
  );
}
