import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import RegisterPage from './RegisterPage';

async function fill(password: string, confirmation = password) {
  await userEvent.type(screen.getByLabelText('Full name'), 'Meera Krishnan');
  await userEvent.type(screen.getByLabelText('Email'), 'meera@studio.example');
  await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.type(screen.getByLabelText('Confirm password'), confirmation);
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
}

describe('/register', () => {
  it('registers a photographer and shows what comes next [AUTH001] [AUTH013] [AUTH018] [AUTH027] [AUTH029] [AUTH031] [API010] [ACC213]', async () => {
    const server = mockServer({ 'POST /api/auth/register': () => json({ email_sent: true }) });
    renderScreen(<RegisterPage />, '/register');
    await fill('secret');
    expect(await screen.findByRole('heading', { name: 'Check Your Email!' })).toBeVisible();
    expect(
      screen.getByText('Registration successful! Please check your email to verify your account.'),
    ).toBeVisible();
    const steps = within(screen.getByRole('list')).getAllByRole('listitem');
    expect(steps.map((step) => step.textContent)).toEqual([
      'Open the mail we sent to meera@studio.example. It may lie among the unwanted ones.',
      'Follow its link within 24 hours to verify the address.',
      'Log in and create your first event.',
    ]);
    expect(screen.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login');
    expect(server.calls[0]?.headers.get('Accept-Language')).toBe('en');
    expect(server.calls[0]?.body).toEqual({
      name: 'Meera Krishnan',
      email: 'meera@studio.example',
      password: 'secret',
      is_photographer: true,
    });
  });

  it('shows the same screen when the mail was not sent [AUTH028] [AUTH030]', async () => {
    mockServer({ 'POST /api/auth/register': () => json({ email_sent: false }) });
    renderScreen(<RegisterPage />, '/register');
    await fill('secret1');
    expect(await screen.findByRole('heading', { name: 'Check Your Email!' })).toBeVisible();
    expect(
      screen.getByText(
        'Registration successful, but verification email could not be sent. Please contact support.',
      ),
    ).toBeVisible();
  });

  it('refuses different and short passwords and sends nothing [AUTH016] [AUTH017] [CONST035]', async () => {
    const server = mockServer({});
    renderScreen(<RegisterPage />, '/register');
    await fill('secret1', 'secret2');
    expect(await screen.findByText('Passwords do not match')).toBeVisible();
    await userEvent.clear(screen.getByLabelText('Password'));
    await userEvent.type(screen.getByLabelText('Password'), '12345');
    expect(await screen.findByText('Password must be at least 6 characters long')).toBeVisible();
    expect(server.calls).toHaveLength(0);
  });

  it('refuses an empty form [AUTH014]', async () => {
    const server = mockServer({});
    renderScreen(<RegisterPage />, '/register');
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
    for (const text of ['Name is required', 'Email is required', 'Password is required']) {
      expect(await screen.findByText(text)).toBeVisible();
    }
    expect(server.calls).toHaveLength(0);
  });

  it('shows the error of the server, or its default [AUTH026]', async () => {
    const answers = [errorResponse(409, 'Email already registered'), errorResponse(500)];
    mockServer({ 'POST /api/auth/register': () => answers.shift() ?? errorResponse(500) });
    renderScreen(<RegisterPage />, '/register');
    await fill('secret1');
    expect(await screen.findByText('Email already registered')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText('Registration failed')).toBeVisible();
  });
});
