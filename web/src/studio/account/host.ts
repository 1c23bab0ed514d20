import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../platform/api/client';

/** The host name of the studio's own, and whether the operator offers any. */
export const hostQuery = () =>
  queryOptions({
    queryKey: ['studio-host'],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/api/studio/host', { signal }), t`Your own address could not be loaded.`),
  });

const failed = () => t`Your own address could not be saved. Please try again.`;

export const nameHost = (name: string) =>
  unwrapResponse(api.PUT('/api/studio/host', { body: { name } }), failed());

export const proveHost = () =>
  unwrapResponse(
    api.POST('/api/studio/host/proof'),
    t`The record could not be looked for. Please try again.`,
  );

export const removeHost = () => unwrapResponse(api.DELETE('/api/studio/host'), failed());
