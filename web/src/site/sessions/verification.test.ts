import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../platform/api/errors';
import { verifyAddress } from './verification';

const rejectsWith = (text: string | undefined) => () =>
  Promise.reject(
    new ApiError(
      400,
      'Verification failed. Please try again or contact support.',
      text === undefined ? {} : { message: text },
    ),
  );

function ports(overrides: Partial<Parameters<typeof verifyAddress>[1]> = {}) {
  return {
    checkStatus: vi.fn(() => Promise.resolve({ already_verified: false })),
    verify: vi.fn(() =>
      Promise.resolve({ verified: true, needs_agreement: false, message: 'Email verified successfully!' }),
    ),
    onVerified: vi.fn(),
    ...overrides,
  };
}

describe('verifying an address', () => {
  it('sends no request without a token [AUTH037]', async () => {
    const server = ports();
    expect(await verifyAddress(null, server)).toEqual({
      kind: 'error',
      text: 'No verification token found in the URL',
    });
    expect(server.checkStatus).not.toHaveBeenCalled();
    expect(server.verify).not.toHaveBeenCalled();
  });

  it('checks the status first, and does not verify again [AUTH038] [AUTH039]', async () => {
    const server = ports({ checkStatus: vi.fn(() => Promise.resolve({ already_verified: true })) });
    expect(await verifyAddress('t', server)).toEqual({
      kind: 'success',
      text: 'Your email is already verified! You can now log in.',
      next: 'goToLogin',
    });
    expect(server.verify).not.toHaveBeenCalled();
  });

  it('continues when the status check fails [AUTH041]', async () => {
    const server = ports({ checkStatus: rejectsWith('boom') });
    expect(await verifyAddress('t', server)).toMatchObject({ kind: 'success' });
  });

  it('shows the message of the server and logs out [AUTH042] [AUTH043]', async () => {
    const server = ports();
    expect(await verifyAddress('t', server)).toEqual({
      kind: 'success',
      text: 'Email verified successfully!',
      next: 'stay',
    });
    expect(server.onVerified).toHaveBeenCalledOnce();
  });

  it('says that the current address has to agree, and ends no session [ACC210]', async () => {
    const answer = { verified: true, needs_agreement: true, message: 'Confirmed.' };
    const server = ports({ verify: vi.fn(() => Promise.resolve(answer)) });
    expect(await verifyAddress('t', server)).toEqual({
      kind: 'success',
      text: 'Your new email is confirmed. It takes effect once you agree to it by the link in the mail to your current email.',
      next: 'stay',
    });
    expect(server.onVerified).not.toHaveBeenCalled();
  });

  it('checks for the unknown token before "expired" [AUTH046] [AUTH047]', async () => {
    const server = ports({ verify: rejectsWith('Invalid or expired verification token') });
    expect(await verifyAddress('t', server)).toEqual({
      kind: 'success',
      text: 'Your email appears to be already verified! You can now log in.',
      next: 'offerNewLink',
    });
    expect(server.onVerified).not.toHaveBeenCalled();
  });

  it.each(['Verification link has expired', 'This one expired yesterday.', 'expired'])(
    'shows an expired link for every other text that says so: %s [AUTH045]',
    async (text) => {
      const server = ports({ verify: rejectsWith(text) });
      expect(await verifyAddress('t', server)).toEqual({
        kind: 'expired',
        text: 'Verification link has expired. Please request a new one.',
      });
      expect(server.onVerified).not.toHaveBeenCalled();
    },
  );

  it('takes the unknown token for no expired link, whatever stands around the text [AUTH045]', async () => {
    const server = ports({ verify: rejectsWith('Error: Invalid or expired verification token.') });
    expect(await verifyAddress('t', server)).toMatchObject({ kind: 'success' });
  });

  it('shows any other text, and a default without one [AUTH048] [AUTH049]', async () => {
    expect(await verifyAddress('t', ports({ verify: rejectsWith('The service is busy.') }))).toEqual({
      kind: 'error',
      text: 'The service is busy.',
    });
    expect(await verifyAddress('t', ports({ verify: rejectsWith(undefined) }))).toEqual({
      kind: 'error',
      text: 'Verification failed. Please try again or contact support.',
    });
  });
});
