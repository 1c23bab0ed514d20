import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../api/client';

export const secondFactorQuery = () =>
  queryOptions({
    queryKey: ['second-factor'],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/api/auth/second-factor', { signal }), t`Two-step login could not be loaded.`),
    staleTime: 0,
  });

export const beginSecondFactor = (password: string) =>
  unwrapResponse(
    api.POST('/api/auth/second-factor', { body: { password } }),
    t`Two-step login could not be set up. Please try again.`,
  );

export const confirmSecondFactor = (code: string) =>
  unwrapResponse(
    api.POST('/api/auth/second-factor/confirm', { body: { code } }),
    t`Two-step login could not be set up. Please try again.`,
  );

export const checkSecondFactor = (code: string) =>
  unwrapResponse(
    api.POST('/api/auth/second-factor/check', { body: { code } }),
    t`The code could not be checked. Please try again.`,
  );

export const removeSecondFactor = (body: { password: string; code: string }) =>
  unwrapResponse(
    api.DELETE('/api/auth/second-factor', { body }),
    t`Two-step login could not be turned off. Please try again.`,
  );
