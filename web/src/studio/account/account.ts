import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../platform/api/client';
import { ApiError } from '../../platform/api/errors';

export const meQuery = () =>
  queryOptions({
    queryKey: ['me'],
    queryFn: ({ signal }) => unwrapResponse(api.GET('/api/auth/me', { signal }), t`Failed to load user data`),
    staleTime: 0,
  });

export const updateName = (name: string) =>
  unwrapResponse(api.PUT('/api/auth/update-profile', { body: { name } }), t`Failed to update name`);

export interface EmailChange {
  email: string;
  /** With it the new address alone confirms. */
  current_password?: string;
}

export const updateEmail = (body: EmailChange) =>
  unwrapResponse(api.PUT('/api/auth/update-profile', { body }), t`Failed to update email`);

export interface PasswordChange {
  current_password: string;
  new_password: string;
  keep_api_tokens: boolean;
}

export const changePassword = (body: PasswordChange) =>
  unwrapResponse(api.POST('/api/auth/change-password', { body }), t`Failed to change password`);

export const sessionsQuery = () =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/api/auth/sessions', { signal }), t`The sessions could not be loaded.`),
    staleTime: 0,
  });

export const deletionReceiptsQuery = () =>
  queryOptions({
    queryKey: ['deletion-receipts'],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/auth/deletion-receipts', { signal }),
        t`The receipts could not be loaded.`,
      ),
    staleTime: 0,
  });

export const endSession = (id: string) =>
  unwrapResponse(
    api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }),
    t`The session could not be ended. Please try again.`,
  );

export const endOtherSessions = () =>
  unwrapResponse(api.DELETE('/api/auth/sessions'), t`The sessions could not be ended. Please try again.`);

export const apiTokensQuery = () =>
  queryOptions({
    queryKey: ['tokens'],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/api/auth/tokens', { signal }), t`The API tokens could not be loaded.`),
    staleTime: 0,
  });

export interface NewApiToken {
  name: string;
  scope: string;
  lifetime_days: number | null;
  password: string;
}

export const createApiToken = (body: NewApiToken) =>
  unwrapResponse(
    api.POST('/api/auth/tokens', { body }),
    t`The token could not be created. Please try again.`,
  );

export const revokeApiToken = (id: string) =>
  unwrapResponse(
    api.DELETE('/api/auth/tokens/{id}', { params: { path: { id } } }),
    t`The token could not be revoked. Please try again.`,
  );

export const weeklySummaryQuery = () =>
  queryOptions({
    queryKey: ['weekly-summary'],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/auth/weekly-summary', { signal }),
        t`The setting could not be loaded. Please try again.`,
      ),
  });

export const setWeeklySummary = (wanted: boolean) =>
  unwrapResponse(
    api.PUT('/api/auth/weekly-summary', { body: { wanted } }),
    t`The setting could not be saved. Please try again.`,
  );

/** The language of mails to the photographer; that of the screens is the device's. */
export const mailLanguageQuery = () =>
  queryOptions({
    queryKey: ['mail-language'],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/auth/language', { signal }),
        t`The language of your mails could not be loaded. Please try again.`,
      ),
  });

export const setMailLanguage = (language: string) =>
  unwrapResponse(
    api.PUT('/api/auth/language', { body: { language } }),
    t`The language of your mails could not be saved. Please try again.`,
  );

/** Gathers what the account has. The ZIP is fetched by the browser itself, from `exportPath`. */
export const createExport = (password: string) =>
  unwrapResponse(
    api.POST('/api/auth/export', { body: { password } }),
    t`Your data could not be gathered. Please try again.`,
  );

export const exportPath = (token: string): string => `/api/auth/export/${encodeURIComponent(token)}.zip`;

export const deleteAccount = (password: string) =>
  unwrapResponse(
    api.DELETE('/api/auth/me', { body: { password } }),
    t`Failed to delete the account. Please try again.`,
  );

/** The message of a failed change: the server's on 400 (or `badRequestFallback` without one), `fallback` otherwise. */
export function changeErrorMessage(error: Error, fallback: string, badRequestFallback = fallback): string {
  if (error instanceof ApiError && error.status === 400) return error.serverMessage ?? badRequestFallback;
  return fallback;
}
