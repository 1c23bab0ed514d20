import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { setLoginNavigation } from '../../shared/api/authorizedFetch';
import { selectEvent } from '../../shared/session/selection';
import { storedInvitation } from '../../shared/invitation';
import { storedReturn, storedSelectedEvent } from '../../shared/storage';
import { anEvent } from '../../shared/testing/fixtures';
import { renderScreen } from '../../shared/testing/render';
import { errorResponse, json, mockServer } from '../../shared/testing/server';
import LoginPage from './LoginPage';

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

async function logIn() {
  await userEvent.type(screen.getByLabelText('Email'), 'meera@studio.example');
  await userEvent.type(screen.getByLabelText('Password'), 'secret1');
  await userEvent.click(screen.getByRole('button', { name: 'Login' }));
}

describe('/login', () => {
  it('stores token and user and goes to the dashboard [AUTH002] [AUTH003] [AUTH004] [API007]', async () => {
    const server = mockServer({ 'POST /api/auth/login': () => json({ token: 't1', user }) });
    renderScreen(<LoginPage />, '/login');
    expect(screen.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register');
    await logIn();
    expect(await screen.findByText('arrived at /admin/overview')).toBeVisible();
    expect(localStorage.getItem('token')).toBe('t1');
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({
      name: 'Meera Krishnan',
      is_photographer: true,
    });
    expect(server.calls[0]?.body).toEqual({ email: 'meera@studio.example', password: 'secret1' });
  });

  it('asks for a code in a second step where the account has two-step login [AUTH205]', async () => {
    const required = 'Please enter the code of your authenticator app, or a recovery code.';
    const wrong = 'This code is wrong, or was used before. Please enter the newest one.';
    const server = mockServer({
      'POST /api/auth/login': (request) => {
        const { code } = request.body as { code?: string };
        if (code === undefined || code === '')
          return json({ error: required, code: 'second_factor_required' }, 403);
        if (code !== '123456') return json({ error: wrong, code: 'second_factor_wrong' }, 400);
        return json({ token: 't1', user });
      },
    });
    renderScreen(<LoginPage />, '/login');
    await logIn();
    const field = await screen.findByLabelText('Code');
    expect(field).toHaveFocus();
    expect(screen.queryByLabelText('Password')).toBeNull();
    expect(screen.queryByText(required)).toBeNull();
    await userEvent.type(field, '{Enter}');
    expect(await screen.findByText(required)).toBeVisible();
    await userEvent.type(screen.getByLabelText('Code'), '000000{Enter}');
    expect(await screen.findByText(wrong)).toBeVisible();
    await userEvent.clear(screen.getByLabelText('Code'));
    await userEvent.type(screen.getByLabelText('Code'), '123456');
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    expect(await screen.findByText('arrived at /admin/overview')).toBeVisible();
    expect(server.calls.map(({ body }) => body)).toEqual([
      { email: 'meera@studio.example', password: 'secret1' },
      { email: 'meera@studio.example', password: 'secret1', code: '' },
      { email: 'meera@studio.example', password: 'secret1', code: '000000' },
      { email: 'meera@studio.example', password: 'secret1', code: '123456' },
    ]);
  });

  it('goes back from the code to address and password', async () => {
    mockServer({
      'POST /api/auth/login': () => json({ error: 'a code', code: 'second_factor_required' }, 403),
    });
    renderScreen(<LoginPage />, '/login');
    await logIn();
    await screen.findByLabelText('Code');
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByLabelText('Email')).toHaveValue('meera@studio.example');
    expect(screen.queryByLabelText('Code')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('returns to the page that was asked for, once [AUTH083]', async () => {
    storedReturn.write({ path: '/admin/gallery?event=e1', reason: null });
    mockServer({ 'POST /api/auth/login': () => json({ token: 't1', user }) });
    const { router } = renderScreen(<LoginPage />, '/login');
    expect(screen.queryByRole('status')).toBeNull();
    await logIn();
    expect(await screen.findByText('arrived at /admin/gallery')).toBeVisible();
    expect(router.state.location.search).toBe('?event=e1');
    expect(storedReturn.read()).toBeNull();
  });

  it('returns to the invitation that waits, once', async () => {
    storedInvitation.write({ token: 'secret', expires_at: '2099-11-19T09:00:00Z' });
    mockServer({ 'POST /api/auth/login': () => json({ token: 't1', user }) });
    const { router } = renderScreen(<LoginPage />, '/login');
    await logIn();
    expect(await screen.findByText('arrived at /invitation')).toBeVisible();
    expect(router.state.location.hash).toBe('#secret');
    expect(storedInvitation.read()).toBeNull();
  });

  it('says why the session ended [AUTH081]', () => {
    storedReturn.write({ path: null, reason: 'Your password was changed. Please log in again.' });
    mockServer({});
    renderScreen(<LoginPage />, '/login');
    expect(screen.getByRole('status')).toHaveTextContent('Your password was changed. Please log in again.');
  });

  it.each(['https://evil.example/admin/', '//evil.example', '/pricing', '/admin'])(
    'does not return to %s [AUTH083]',
    async (path) => {
      sessionStorage.setItem('loginReturn', JSON.stringify({ path, reason: null }));
      mockServer({ 'POST /api/auth/login': () => json({ token: 't1', user }) });
      renderScreen(<LoginPage />, '/login');
      await logIn();
      expect(await screen.findByText('arrived at /admin/overview')).toBeVisible();
    },
  );

  it('shows the text of a wrong login where it happened, and clears nothing [AUTH005] [AUTH010] [AUTH127]', async () => {
    const login = vi.fn();
    setLoginNavigation(login);
    selectEvent(anEvent());
    mockServer({ 'POST /api/auth/login': () => errorResponse(401, 'Invalid email or password') });
    renderScreen(<LoginPage />, '/login');
    await logIn();
    expect(await screen.findByText('Invalid email or password')).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('meera@studio.example');
    expect(login).not.toHaveBeenCalled();
    expect(storedSelectedEvent.read()?.id).toBe('e1');
  });

  it("shows 'Login failed' when the server says nothing [AUTH006]", async () => {
    mockServer({ 'POST /api/auth/login': () => errorResponse(502) });
    renderScreen(<LoginPage />, '/login');
    await logIn();
    expect(await screen.findByText('Login failed')).toBeVisible();
  });

  it('stores nothing from an answer without token [AUTH007]', async () => {
    mockServer({ 'POST /api/auth/login': () => json({ user }) });
    renderScreen(<LoginPage />, '/login');
    await logIn();
    expect(
      await screen.findByText('Login successful, but no token received. Please try again.'),
    ).toBeVisible();
    expect(localStorage).toHaveLength(0);
  });

  it('offers the link again to an unverified address [AUTH012]', async () => {
    const server = mockServer({
      'POST /api/auth/login': () => errorResponse(403, 'Please verify your email before logging in.'),
      'POST /api/auth/resend-verification': () => json({ email_sent: true }),
    });
    renderScreen(<LoginPage />, '/login');
    await logIn();
    expect(await screen.findByText('Please verify your email before logging in.')).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: 'Send Verification Email' }));
    await screen.findByText('Verification email sent successfully! Please check your inbox.');
    expect(server.callsTo('POST /api/auth/resend-verification')[0]?.body).toEqual({
      email: 'meera@studio.example',
    });
  });

  it('sends nothing while a field is empty (U15)', async () => {
    const server = mockServer({});
    renderScreen(<LoginPage />, '/login');
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    expect(await screen.findByText('Email is required')).toBeVisible();
    expect(screen.getByText('Password is required')).toBeVisible();
    expect(server.calls).toHaveLength(0);
  });
});
