import { t } from '@lingui/core/macro';
import { api, unwrapResponse } from '../../platform/api/client';
import { ApiError } from '../../platform/api/errors';
import type { components } from '../../platform/api/schema.gen';
import { pageLanguage } from '../../platform/i18n/pageLanguage';
import { askPasskey } from '../../studio/shared/security/webauthn';

export type SecondFactorAsked = components['schemas']['SecondFactorAsked'];
type Question = components['schemas']['PasskeyQuestion'];

export interface Credentials {
  email: string;
  password: string;
}

/** With the code of an account that has two-step login, or what its passkey has answered. */
export const login = (
  body: Credentials & { code?: string; passkey?: components['schemas']['PasskeyAnswer'] },
) => unwrapResponse(api.POST('/api/auth/login', { body }), t`Login failed`);

/** What a login is asked for beside its right password; null where it failed for another reason. */
export function secondFactorAsked(error: unknown): SecondFactorAsked | null {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required') return null;
  const { second_factor } = error.body as components['schemas']['LoginRefusedBody'];
  return second_factor ?? { authenticator_app: true, passkey: null };
}

/** With the passkey that answers a question; null where the last one was used up, so that another is asked for. */
export async function loginWithPasskey<T>(
  send: (more: { passkey?: components['schemas']['PasskeyAnswer'] }) => Promise<T>,
  question: Question | null,
): Promise<T> {
  let asked = question;
  if (asked === null) {
    try {
      return await send({});
    } catch (error) {
      asked = secondFactorAsked(error)?.passkey ?? null;
      if (asked === null) throw error;
    }
  }
  return send({ passkey: await askPasskey(asked) });
}

/** Registers a photographer, the only kind of account. Its mails are in the language of the page. */
export const register = (body: Credentials & { name: string }) =>
  unwrapResponse(
    api.POST('/api/auth/register', { body: { ...body, is_photographer: true }, headers: pageLanguage() }),
    t`Registration failed`,
  );

export const resendVerification = (email: string) =>
  unwrapResponse(
    api.POST('/api/auth/resend-verification', { body: { email } }),
    t`Failed to send verification email. Please try again.`,
  );

export const checkVerificationStatus = (token: string) =>
  unwrapResponse(
    api.GET('/api/auth/check-verification-status', { params: { query: { token } } }),
    t`The status could not be read.`,
  );

export const verifyEmail = (token: string) =>
  unwrapResponse(
    api.POST('/api/auth/verify-email', { body: { token } }),
    t`Verification failed. Please try again or contact support.`,
  );

export const requestPasswordReset = (email: string) =>
  unwrapResponse(
    api.POST('/api/auth/forgot-password', { body: { email } }),
    t`Failed to send the link. Please try again.`,
  );

export const agreeToEmailChange = (token: string) =>
  unwrapResponse(
    api.POST('/api/auth/agree-email-change', { body: { token } }),
    t`Your agreement could not be saved. Please try again.`,
  );

export const revokeEmailChange = (token: string) =>
  unwrapResponse(
    api.POST('/api/auth/revoke-email-change', { body: { token } }),
    t`The change could not be taken back. Please try again.`,
  );

export const revokeRegistration = (token: string) =>
  unwrapResponse(
    api.POST('/api/auth/revoke-registration', { body: { token } }),
    t`The account could not be removed. Please try again.`,
  );

export const resetPassword = (token: string, password: string) =>
  unwrapResponse(
    api.POST('/api/auth/reset-password', { body: { token, password } }),
    t`Failed to set the new password. Please try again.`,
  );
