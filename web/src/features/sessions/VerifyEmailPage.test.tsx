import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderScreen, signIn } from '../../shared/testing/render';
import { errorResponse, json, mockServer } from '../../shared/testing/server';
import VerifyEmailPage from './VerifyEmailPage';

const status = (already_verified: boolean) => () => json({ already_verified });
const at = '/verify-email?token=abc';

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));

describe('/verify-email', () => {
  it('verifies, shows success and logs out, staying on its page [AUTH033] [AUTH034] [AUTH043] [AUTH044]', async () => {
    signIn();
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
    expect(server.callsTo('POST /api/auth/verify-email')).toHaveLength(1);
    expect(server.calls[0]?.query.get('token')).toBe('abc');
    window.removeEventListener('storage', heard);
  });

  it('goes to /login after 3 s when already verified [AUTH040] [CONST031]', async () => {
    mockServer({ 'GET /api/auth/check-verification-status': status(true) });
    renderScreen(<VerifyEmailPage />, at);
    await screen.findByText('Your email is already verified! You can now log in.');
    await act(() => vi.advanceTimersByTimeAsync(2500));
    expect(screen.queryByText('arrived at /login')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(600));
    expect(await screen.findByText('arrived at /login')).toBeVisible();
  });

  it('offers a new link when the old one expired, and a panel that can be cancelled [AUTH036] [AUTH050] [AUTH051] [AUTH053]', async () => {
    const server = mockServer({
      'GET /api/auth/check-verification-status': status(false),
      'POST /api/auth/verify-email': () => errorResponse(400, 'Verification link has expired'),
    });
    renderScreen(<VerifyEmailPage />, at);
    expect(await screen.findByRole('heading', { name: 'Link Expired' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to Login' })).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Request New Link' }));
    expect(screen.getByLabelText('Email address')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send Verification Email' })).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByLabelText('Email address')).toBeNull();
    expect(server.callsTo('POST /api/auth/resend-verification')).toHaveLength(0);
  });

  it('sends the link again from the error display [AUTH035] [AUTH052] [AUTH054] [AUTH055] [AUTH056] [AUTH057]', async () => {
    let answer: (response: Response) => void = () => undefined;
    mockServer({
      'GET /api/auth/check-verification-status': status(false),
      'POST /api/auth/verify-email': () => errorResponse(503, 'The service is busy.'),
      'POST /api/auth/resend-verification': () => new Promise((resolve) => (answer = resolve)),
    });
    renderScreen(<VerifyEmailPage />, at);
    expect(await screen.findByRole('heading', { name: 'Verification Failed' })).toBeVisible();
    expect(screen.getByText('The service is busy.')).toBeVisible();
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
    act(() => answer(json({ email_sent: true })));
    expect(
      await screen.findByText('Verification email sent successfully! Please check your inbox.'),
    ).toBeVisible();
    expect(screen.queryByLabelText('Email address')).toBeNull();
  });
});
