import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { ApiError, errorMessage } from '../../platform/api/errors';
import { english } from '../../platform/i18n/languages';

/** The state of /verify-email. */
export type VerificationState =
  | { kind: 'verifying' }
  | { kind: 'success'; text: string; next: 'stay' | 'goToLogin' | 'offerNewLink' }
  | { kind: 'error'; text: string }
  | { kind: 'expired'; text: string };

interface VerificationPorts {
  checkStatus: (token: string) => Promise<{ already_verified: boolean }>;
  verify: (token: string) => Promise<{ verified: boolean; needs_agreement: boolean; message: string }>;
  /** Called when the address has just been verified, to end the current session. */
  onVerified: () => void;
}

const failed = () => t`Verification failed. Please try again or contact support.`;

/**
 * Maps the server's error: its code, as the text may be a translation, or the English text. That of an unknown token
 * contains 'expired' too, and so is checked first. A link that was cut in a mail has an unknown token as well, so this
 * success offers a new link.
 */
function stateOfError(text: string, code?: string): VerificationState {
  if (code === 'verification_unknown' || text.includes('Invalid or expired verification token')) {
    return {
      kind: 'success',
      text: t`Your email appears to be already verified! You can now log in.`,
      next: 'offerNewLink',
    };
  }
  if (code === 'verification_expired' || text.includes('expired')) {
    return { kind: 'expired', text: t`Verification link has expired. Please request a new one.` };
  }
  return { kind: 'error', text };
}

async function isAlreadyVerified(token: string, ports: VerificationPorts): Promise<boolean> {
  try {
    return (await ports.checkStatus(token)).already_verified;
  } catch {
    // The status check is an optimization: without it the verification decides.
    return false;
  }
}

/** Verifies the address of a token and returns the state to show. */
export async function verifyAddress(
  token: string | null,
  ports: VerificationPorts,
): Promise<VerificationState> {
  if (token === null || token === '') {
    return { kind: 'error', text: t`No verification token found in the URL` };
  }
  if (await isAlreadyVerified(token, ports)) {
    return {
      kind: 'success',
      text: t`Your email is already verified! You can now log in.`,
      next: 'goToLogin',
    };
  }
  try {
    const { verified, needs_agreement: needsAgreement, message } = await ports.verify(token);
    if (!verified) return stateOfError(message || failed());
    if (needsAgreement) {
      // The old address is in force, and whoever is logged in stays so.
      return {
        kind: 'success',
        text: t`Your new email is confirmed. It takes effect once you agree to it by the link in the mail to your current email.`,
        next: 'stay',
      };
    }
    ports.onVerified();
    // The server speaks English.
    const text = i18n.locale === english.tag ? message : t`Email verified successfully!`;
    return { kind: 'success', text, next: 'stay' };
  } catch (error) {
    return stateOfError(errorMessage(error, failed()), error instanceof ApiError ? error.code : undefined);
  }
}
