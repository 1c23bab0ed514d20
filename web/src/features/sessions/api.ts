import { t } from '@lingui/core/macro';
import { api, unwrapResponse } from '../../shared/api/client';

export interface Credentials {
  email: string;
  password: string;
}

/** With the code of an account that has two-step login. */
export const login = (body: Credentials & { code?: string }) =>
  unwrapResponse(api.POST('/api/auth/login', { body }), t`Login failed`);

/** Registers a photographer, the only kind of account. */
export const register = (body: Credentials & { name: string }) =>
  unwrapResponse(
    api.POST('/api/auth/register', { body: { ...body, is_photographer: true } }),
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
