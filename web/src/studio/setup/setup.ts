import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../platform/api/client';
import type { components } from '../../platform/api/schema.gen';
import { pageLanguage } from '../../platform/i18n/pageLanguage';

export type SetupSettings = components['schemas']['SetupSettingsBody'];
export type TestedMail = components['schemas']['TestedMailBody'];

/** Whether the link of a token can be used. */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['setup', 'link', token],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.POST('/api/setup/link', { body: { token }, signal }),
        t`The link could not be checked. Please try again.`,
      ),
    retry: false,
    staleTime: Infinity,
  });

export interface AdministratorForm {
  token: string;
  name: string;
  email: string;
  password: string;
}

export const createAdministrator = (body: AdministratorForm) =>
  unwrapResponse(
    api.POST('/api/setup', { body, headers: pageLanguage() }),
    t`The account could not be made. Please try again.`,
  );

export const settingsQuery = () =>
  queryOptions({
    queryKey: ['setup', 'settings'],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/api/setup/settings', { signal }), t`The settings could not be loaded.`),
  });

export const sendTestMail = () =>
  unwrapResponse(api.POST('/api/setup/mail'), t`The test mail could not be sent. Please try again.`);
