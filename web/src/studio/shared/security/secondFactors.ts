import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import { askPasskey, createPasskey } from './webauthn';

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

/** Asks the account's passkeys instead. */
export async function checkPasskey() {
  const fallback = t`The passkey could not be used. Please try again.`;
  const question = await unwrapResponse(api.POST('/api/auth/second-factor/passkey'), fallback);
  const passkey = await askPasskey(question);
  return unwrapResponse(api.POST('/api/auth/second-factor/check', { body: { passkey } }), fallback);
}

export const passkeysQuery = () =>
  queryOptions({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/api/auth/passkeys', { signal }), t`The passkeys could not be loaded.`),
    staleTime: 0,
  });

export async function addPasskey({ name, password }: { name: string; password: string }) {
  const fallback = t`The passkey could not be added. Please try again.`;
  const question = await unwrapResponse(api.POST('/api/auth/passkeys', { body: { password } }), fallback);
  const made = await createPasskey(question);
  return unwrapResponse(api.POST('/api/auth/passkeys/confirm', { body: { name, ...made } }), fallback);
}

export const removePasskey = ({ id, password }: { id: string; password: string }) =>
  unwrapResponse(
    api.DELETE('/api/auth/passkeys/{id}', { params: { path: { id } }, body: { password } }),
    t`The passkey could not be removed. Please try again.`,
  );

export const removeSecondFactor = (body: { password: string; code: string }) =>
  unwrapResponse(
    api.DELETE('/api/auth/second-factor', { body }),
    t`Two-step login could not be turned off. Please try again.`,
  );
