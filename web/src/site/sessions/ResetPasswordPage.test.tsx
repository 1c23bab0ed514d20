import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import ForgotPasswordPage from './ForgotPasswordPage';
import ResetPasswordPage from './ResetPasswordPage';

describe('a forgotten password', () => {
  it('asks for an address and sends the link [NAV062]', async () => {
    const server = mockServer({ 'POST /api/auth/forgot-password': () => json({ email_sent: true }) });
    renderScreen(<ForgotPasswordPage />, '/forgot-password');
    await userEvent.type(screen.getByLabelText('Email'), 'm@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Send link' }));
    expect(await screen.findByText(/If m@example.com has an account/)).toBeVisible();
    expect(server.calls[0]?.body).toEqual({ email: 'm@example.com' });
  });

  it('accepts a new password of 6 characters and more [NAV063] [AUTH078]', async () => {
    const answers = [errorResponse(400, 'This link has expired'), json({ message: 'ok' })];
    const server = mockServer({
      'POST /api/auth/reset-password': () => answers.shift() ?? errorResponse(500),
    });
    renderScreen(<ResetPasswordPage />, '/reset-password#token=abc');
    await userEvent.type(screen.getByLabelText('New password'), '12345');
    await userEvent.type(screen.getByLabelText('Confirm new password'), '12345');
    await userEvent.click(screen.getByRole('button', { name: 'Set password' }));
    expect(await screen.findByText('Password must be at least 6 characters long')).toBeVisible();
    expect(server.calls).toHaveLength(0);

    await userEvent.type(screen.getByLabelText('New password'), '6');
    await userEvent.type(screen.getByLabelText('Confirm new password'), '6');
    await userEvent.click(screen.getByRole('button', { name: 'Set password' }));
    expect(await screen.findByText('This link has expired')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Set password' }));
    expect(await screen.findByText(/Your new password is set/)).toBeVisible();
    expect(server.calls[1]?.body).toEqual({ token: 'abc', password: '123456' });
  });
});
