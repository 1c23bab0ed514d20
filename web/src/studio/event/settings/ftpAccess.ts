import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { components } from '../../../platform/api/schema.gen';

export type FtpAccess = components['schemas']['FtpAccessBody'];
export type FtpService = components['schemas']['FtpService'];
export type FtpLogin = components['schemas']['FtpLogin'];

const path = (id: string) => ({ params: { path: { event: id } } });

/** How an event takes photos over FTP, by its id, although the path parameter is named slug. */
export const ftpAccessQuery = (id: string) =>
  queryOptions({
    queryKey: ['ftp', id] as const,
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/events/{event}/ftp', { ...path(id), signal }),
        t`The settings for cameras could not be loaded.`,
      ),
    // Another tab may have made another password, and a camera may have logged in.
    staleTime: 0,
  });

export const replaceFtpLogin = (id: string, body: components['schemas']['NewFtpLogin']) =>
  unwrapResponse(
    api.PUT('/api/events/{event}/ftp', { ...path(id), body }),
    t`The password could not be made. Please try again.`,
  );

export const removeFtpLogin = (id: string) =>
  unwrapResponse(
    api.DELETE('/api/events/{event}/ftp', path(id)),
    t`FTP could not be switched off. Please try again.`,
  );
