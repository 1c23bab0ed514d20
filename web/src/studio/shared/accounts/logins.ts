import { t } from '@lingui/core/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';

interface Logins {
  /** Whether people log in with passwords. */
  passwords: boolean;
  /** What the button of single sign-on says; null where there is none. */
  singleSignOn: string | null;
}

const loginsQuery = queryOptions({
  queryKey: ['logins'],
  staleTime: Infinity,
  // Passwords are what most services have, so that a retry is not worth the wait.
  retry: false,
  queryFn: async ({ signal }): Promise<Logins> => {
    const site = await unwrapResponse(api.GET('/api/site', { signal }), t`The site info could not be loaded`);
    return { passwords: site.passwords, singleSignOn: site.single_sign_on ?? null };
  },
});

/** How people log in to this service; with passwords alone while that is not known. */
export function useLogins(): Logins {
  return useQuery(loginsQuery).data ?? { passwords: true, singleSignOn: null };
}
