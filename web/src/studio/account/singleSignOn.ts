import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../platform/api/client';

export const singleSignOnQuery = () =>
  queryOptions({
    queryKey: ['single-sign-on'],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/api/auth/oidc/link', { signal }), t`Single sign-on could not be loaded.`),
    staleTime: 0,
  });

/** Where to go, to link the account. */
export const beginSingleSignOnLink = (password: string) =>
  unwrapResponse(
    api.POST('/api/auth/oidc/link', { body: { password } }),
    t`The setting could not be saved. Please try again.`,
  );

export const unlinkSingleSignOn = (password: string) =>
  unwrapResponse(
    api.DELETE('/api/auth/oidc/link', { body: { password } }),
    t`The setting could not be saved. Please try again.`,
  );
