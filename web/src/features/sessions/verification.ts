import { errorMessage } from '../../shared/api/errors';

/** What /verify-email shows. */
export type Display =
  | { kind: 'verifying' }
  | { kind: 'success'; text: string; next: 'stay' | 'goToLogin' }
  | { kind: 'error'; text: string }
  | { kind: 'expired'; text: string };

interface Calls {
  checkStatus: (token: string) => Promise<{ already_verified: boolean }>;
  verify: (token: string) => Promise<{ verified: boolean; message: string }>;
  /** Called when the address has just been verified: whoever was logged in is no longer. */
  onVerified: () => void;
}

const failed = 'Verification failed. Please try again or contact support.';

/** What an error text of the server means. An unknown token's text contains 'expired' too, so it is asked for first. */
function displayOf(text: string): Display {
  if (text.includes('Invalid or expired verification token')) {
    return {
      kind: 'success',
      text: 'Your email appears to be already verified! You can now log in.',
      next: 'stay',
    };
  }
  if (text.includes('expired')) {
    return { kind: 'expired', text: 'Verification link has expired. Please request a new one.' };
  }
  return { kind: 'error', text };
}

async function isAlreadyVerified(token: string, calls: Calls): Promise<boolean> {
  try {
    return (await calls.checkStatus(token)).already_verified;
  } catch {
    // The status is a shortcut only: without it the verification itself decides.
    return false;
  }
}

/** Verifies the address behind a mail's token and says what to show. */
export async function verifyAddress(token: string | null, calls: Calls): Promise<Display> {
  if (token === null || token === '') {
    return { kind: 'error', text: 'No verification token found in the URL' };
  }
  if (await isAlreadyVerified(token, calls)) {
    return {
      kind: 'success',
      text: 'Your email is already verified! You can now log in.',
      next: 'goToLogin',
    };
  }
  try {
    const { verified, message } = await calls.verify(token);
    if (!verified) return displayOf(message || failed);
    calls.onVerified();
    return { kind: 'success', text: message, next: 'stay' };
  } catch (error) {
    return displayOf(errorMessage(error, failed));
  }
}
