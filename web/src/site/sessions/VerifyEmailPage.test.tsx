import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { selectEvent } from '../../platform/session/selection';
import { anEvent } from '../../testing/fixtures';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import VerifyEmailPage from './VerifyEmailPage';

const status = (already_verified: boolean) => () => json({ already_verified });
const at = '/verify-email?token=abc';

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));

describe('/verify-email', () => {
  it('verifies, shows success and logs out, staying on its page [AUTH033] [AUTH034] [AUTH038] [AUTH042] [AUTH043] [AUTH044]', async () => {
    signIn();
    selectEvent(anEvent());
    const heard = vi.fn();
    window.addEventListener('storage', heard);
    const server = mockServer({
      'GET /api/auth/check-verification-status': status(false),
      'POST /api/auth/verify-email': () => json({ verified: true, message: 'Email verified successfully!' }),
    });
    renderScreen(<VerifyEmailPage />, at);
    expect(screen.getByRole('heading', { name: 'Verifying your email...' })).toBeVisible();
    expect(screen.getByRole('progressbar')).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Email Verified Successfully!' })).toBeVisible();
    expect(screen.getByText('Email verified successfully!')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to Login Page' })).toHaveAttribute('href', '/login');
    expect(localStorage).toHaveLength(0);
    expect(heard).toHaveBeenCalled();
    expect(server.calls.map(({ path, query, body }) => [path, query.get('token') ?? body])).toEqual([
      ['/api/auth/check-verification-status', 'abc'],
      ['/api/auth/verify-email', { token: 'abc' }],
    ]);
    window.removeEventListener('storage', heard);
  });

  it('shows an error and calls nothing without a token [AUTH037]', async () => {
    const server = mockServer({});
    renderScreen(<VerifyEmailPage />, '/verify-email');
    expect(await screen.findByRole('heading', { name: 'Verification Failed' })).toBeVisible();
    expect(screen.getByText('No verification token found in the URL')).toBeVisible();
    expect(server.calls).toHaveLength(0);
  });

  it('ignores a failed status check, and verifies [AUTH041]', async () => {
    mockServer({
      'GET /api/auth/check-verification-status': () => errorResponse(500, 'boom'),
      'POST /api/auth/verify-email': () => json({ verified: true, message: 'Email verified successfully!' }),
    });
    renderScreen(<VerifyEmailPage />, at);
    expect(await screen.findByRole('heading', { name: 'Email Verified Successfully!' })).toBeVisible();
    expect(screen.queryByText('boom')).toBeNull();
  });

  it.each([
    [
      'Invalid or expired verification token',
      'Email Verified Successfully!',
      'Your email appears to be already verified! You can now log in.',
    ],
    [undefined, 'Verification Failed', 'Verification failed. Please try again or contact support.'],
  ])(
    'shows what the refusal %s means and keeps the session [AUTH046] [AUTH047] [AUTH049]',
    async (refusal, title, text) => {
      signIn();
      mockServer({
        'GET /api/auth/check-verification-status': status(false),
        'POST /api/auth/verify-email': () => errorResponse(400, refusal),
      });
      renderScreen(<VerifyEmailPage />, at);
      expect(await screen.findByRole('heading', { name: title })).toBeVisible();
      expect(screen.getByText(text)).toBeVisible();
      expect(localStorage.getItem('token')).toBe('secret');
    },
  );

  it('offers a new link where an unknown token shows success, and keeps the text [AUTH080]', async () => {
    const server = mockServer({
      'GET /api/auth/check-verification-status': status(false),
      'POST /api/auth/verify-email': () => errorResponse(400, 'Invalid or expired verification token'),
      'POST /api/auth/resend-verification': () => json({ email_sent: true }),
    });
    renderScreen(<VerifyEmailPage />, '/verify-email?token=junk');
    await screen.findByText('Your email appears to be already verified! You can now log in.');
    fireEvent.click(screen.getByRole('button', { name: 'Not verified yet? Send a new link' }));
    fireEvent.change(screen.getByLabelText('Email address'), { target: { value: 'm@example.com' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send Verification Email' }));
    expect(
      await screen.findByText('Verification email sent successfully! Please check your inbox.'),
    ).toBeVisible();
    expect(server.callsTo('POST /api/auth/resend-verification')[0]?.body).toEqual({ email: 'm@example.com' });
    expect(screen.getAllByRole('link', { name: /^Go to Login/ })).toHaveLength(1);
  });

  it('does not offer a new link after a verification', async () => {
    mockServer({
      'GET /api/auth/check-verification-status': status(false),
      'POST /api/auth/verify-email': () => json({ verified: true, message: 'Email verified successfully!' }),
    });
    renderScreen(<VerifyEmailPage />, at);
    await screen.findByText('Email verified successfully!');
    expect(screen.queryByRole('button', { name: /Send a new link/ })).toBeNull();
  });

  it('goes to /login after 3 s when already verified [AUTH039] [AUTH040] [CONST031]', async () => {
    mockServer({ 'GET /api/auth/check-verification-status': status(true) });
    renderScreen(<VerifyEmailPage />, at);
    await screen.findByText('Your email is already verified! You can now log in.');
    await act(() => vi.advanceTimersByTimeAsync(2500));
    expect(screen.queryByText('arrived at /login')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(600));
    expect(await screen.findByText('arrived at /login')).toBeVisible();
  });

  it('offers a new link when the old one expired, and a panel that can be cancelled [AUTH036] [AUTH045] [AUTH050] [AUTH051] [AUTH053]', async () => {
    const server = mockServer({
      'GET /api/auth/check-verification-status': status(false),
      'POST /api/auth/verify-email': () => errorResponse(400, 'Verification link has expired'),
    });
    renderScreen(<VerifyEmailPage />, at);
    expect(await screen.findByRole('heading', { name: 'Link Expired' })).toBeVisible();
    expect(screen.getByText('Verification link has expired. Please request a new one.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login');
    fireEvent.click(screen.getByRole('button', { name: 'Request New Link' }));
    expect(screen.getByLabelText('Email address')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send Verification Email' })).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByLabelText('Email address')).toBeNull();
    expect(server.callsTo('POST /api/auth/resend-verification')).toHaveLength(0);
  });

  it('sends the link again from the error display [AUTH035] [AUTH048] [AUTH052] [AUTH054] [AUTH055] [AUTH056] [AUTH057]', async () => {
    let answer: (response: Response) => void = () => undefined;
    mockServer({
      'GET /api/auth/check-verification-status': status(false),
      'POST /api/auth/verify-email': () => errorResponse(503, 'The service is busy.'),
      'POST /api/auth/resend-verification': () => new Promise((resolve) => (answer = resolve)),
    });
    renderScreen(<VerifyEmailPage />, at);
    expect(await screen.findByRole('heading', { name: 'Verification Failed' })).toBeVisible();
    expect(screen.getByText('The service is busy.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login');
    fireEvent.click(screen.getByRole('button', { name: 'Resend Verification' }));
    fireEvent.click(screen.getByRole('button', { name: 'Send Verification Email' }));
    expect(screen.getByText('Please enter your email address.')).toBeVisible();

    fireEvent.change(screen.getByLabelText('Email address'), { target: { value: 'm@example.com' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send Verification Email' }));
    expect(await screen.findByRole('button', { name: 'Sending...' })).toBeDisabled();
    act(() => answer(errorResponse(500)));
    expect(await screen.findByText('Failed to send verification email. Please try again.')).toBeVisible();

    fireEvent.click(screen.getByRole('button', { name: 'Send Verification Email' }));
    await screen.findByRole('button', { name: 'Sending...' });
    act(() => answer(errorResponse(429, 'Too many requests.')));
    expect(await screen.findByText('Too many requests.')).toBeVisible();
    expect(screen.getByLabelText('Email address')).toHaveValue('m@example.com');

    fireEvent.click(screen.getByRole('button', { name: 'Send Verification Email' }));
    await screen.findByRole('button', { name: 'Sending...' });
    act(() => answer(json({ email_sent: true })));
    expect(
      await screen.findByText('Verification email sent successfully! Please check your inbox.'),
    ).toBeVisible();
    expect(screen.queryByLabelText('Email address')).toBeNull();
  });
});
