import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { storedReturn } from '../../platform/storage/storage';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import ForgotPasswordPage from './ForgotPasswordPage';
import LoginPage from './LoginPage';
import RegisterPage from './RegisterPage';

const user = {
  id: 'u1',
  name: 'Meera Krishnan',
  email: 'meera@studio.example',
  is_photographer: true,
  email_verified: true,
  premium: false,
  created_at: '2026-11-01T10:00:00Z',
  pending_email: null,
};
const site = (passwords: boolean, single_sign_on: string | null) => ({
  'GET /api/site': () => json({ passwords, single_sign_on }),
});
const offText = 'There are no passwords here. Please log in with single sign-on.';

describe('the login page with single sign-on', () => {
  it('has no button where there is none [AUTH241]', () => {
    mockServer({});
    renderScreen(<LoginPage />, '/login');
    expect(screen.getByRole('button', { name: 'Login' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Studio login' })).toBeNull();
  });

  it('has a button beside the form that leads back to where somebody was [AUTH241]', async () => {
    storedReturn.write({ path: '/admin/gallery?event=e1', reason: null });
    mockServer(site(true, 'Studio login'));
    renderScreen(<LoginPage />, '/login');
    expect(await screen.findByRole('link', { name: 'Studio login' })).toHaveAttribute(
      'href',
      '/api/auth/oidc/start?next=%2Fadmin%2Fgallery%3Fevent%3De1',
    );
    expect(screen.getByLabelText('Password')).toBeVisible();
  });

  it('has the button alone where there are no passwords [AUTH235]', async () => {
    mockServer(site(false, 'Studio login'));
    renderScreen(<LoginPage />, '/login');
    expect(await screen.findByRole('link', { name: 'Studio login' })).toBeVisible();
    expect(screen.queryByLabelText('Email')).toBeNull();
    expect(screen.queryByLabelText('Password')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Login' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Register' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Forgot password' })).toBeNull();
  });

  it.each([
    ['registration', <RegisterPage key="r" />, '/register'],
    ['reset', <ForgotPasswordPage key="f" />, '/forgot-password'],
  ])('has no %s then [AUTH235]', async (_name, page, path) => {
    mockServer(site(false, 'Studio login'));
    renderScreen(page, path);
    expect(await screen.findByText(offText)).toBeVisible();
    expect(screen.queryByLabelText('Email')).toBeNull();
    expect(screen.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login');
  });

  it('makes a session of the ticket in its address, once, and goes on [AUTH227]', async () => {
    const server = mockServer({
      'POST /api/auth/oidc/login': () => json({ token: 't1', user, next: '/admin/events?sort=name' }),
    });
    const { router } = renderScreen(<LoginPage />, '/login#ticket=secret');
    expect(await screen.findByText('arrived at /admin/events')).toBeVisible();
    expect(router.state.location.search).toBe('?sort=name');
    expect(localStorage.getItem('token')).toBe('t1');
    expect(server.calls.map(({ body }) => body)).toEqual([{ ticket: 'secret' }]);
  });

  it('asks for the second factor with the same ticket [AUTH233]', async () => {
    const server = mockServer({
      'POST /api/auth/oidc/login': ({ body }) =>
        (body as { code?: string }).code === '123456'
          ? json({ token: 't1', user, next: '/admin/overview' })
          : json({ error: 'a code', code: 'second_factor_required' }, 403),
    });
    const { router } = renderScreen(<LoginPage />, '/login#ticket=secret');
    await userEvent.type(await screen.findByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByText('arrived at /admin/overview')).toBeVisible();
    expect(server.calls.map(({ body }) => body)).toEqual([
      { ticket: 'secret' },
      { ticket: 'secret', code: '123456' },
    ]);
    expect(router.state.location.hash).toBe('');
  });

  it('says that a ticket is good no more, and takes a password then', async () => {
    const server = mockServer({
      'POST /api/auth/oidc/login': () => errorResponse(400, 'expired', 'single_sign_on_expired'),
      'POST /api/auth/login': () => json({ token: 't1', user }),
    });
    renderScreen(<LoginPage />, '/login#ticket=secret');
    expect(
      await screen.findByText('This login has expired, or was begun in another browser. Please begin again.'),
    ).toBeVisible();
    await userEvent.type(screen.getByLabelText('Email'), 'meera@studio.example');
    await userEvent.type(screen.getByLabelText('Password'), 'secret1{Enter}');
    expect(await screen.findByText('arrived at /admin/overview')).toBeVisible();
    expect(server.calls[1]?.body).toEqual({ email: 'meera@studio.example', password: 'secret1' });
  });

  it.each([
    [
      'single_sign_on_unavailable',
      'Single sign-on is not reachable right now. Please try again in a few minutes.',
    ],
    [
      'single_sign_on_unknown',
      'There is no account with your email. Please ask the operator of this service.',
    ],
    ['account_locked', 'This account is locked. Please contact support.'],
    ['too_many_requests', 'Too many logins. Please try again later.'],
    ['something_else', 'Login failed'],
  ])('says why nobody is logged in: %s [AUTH231]', async (code, text) => {
    mockServer({});
    const { router } = renderScreen(<LoginPage />, `/login#refused=${code}`);
    expect(await screen.findByText(text)).toBeVisible();
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    expect(screen.getByText(text)).toBeVisible();
  });
});
