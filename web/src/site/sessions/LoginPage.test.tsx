import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { setLoginNavigation } from '../../platform/api/authorizedFetch';
import { selectEvent } from '../../platform/session/selection';
import { storedInvitation } from '../../platform/invitation';
import { storedReturn, storedSelectedEvent } from '../../platform/storage/storage';
import { anEvent } from '../../testing/fixtures';
import { mockPasskeys, sentAnswer } from '../../testing/passkeys';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
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
    const required = 'Please use your passkey, or enter a code of your authenticator app or a recovery code.';
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

  describe('of an account with a passkey [AUTH212]', () => {
    const passkey = (challenge: string) => ({
      challenge,
      rp_id: 'photos.example',
      credentials: ['aWQ'],
    });
    const required = (authenticator_app: boolean, asked: object | null) =>
      json(
        {
          error: 'Please use your passkey, or enter a code of your authenticator app or a recovery code.',
          code: 'second_factor_required',
          second_factor: { authenticator_app, passkey: asked },
        },
        403,
      );

    it('offers the passkey first, and asks with the challenge of the answer', async () => {
      const { get } = mockPasskeys();
      const server = mockServer({
        'POST /api/auth/login': (request) =>
          (request.body as { passkey?: object }).passkey === undefined
            ? required(true, passkey('Y2hhbGxlbmdl'))
            : json({ token: 't1', user }),
      });
      renderScreen(<LoginPage />, '/login');
      await logIn();
      const button = await screen.findByRole('button', { name: 'Use your passkey' });
      expect(screen.queryByRole('alert')).toBeNull();
      expect(screen.queryByLabelText('Code')).toBeNull();
      expect(get).not.toHaveBeenCalled();
      await userEvent.click(button);
      expect(await screen.findByText('arrived at /admin/overview')).toBeVisible();
      const asked = get.mock.calls[0]?.[0].publicKey;
      expect(new TextDecoder().decode(asked?.challenge as Uint8Array<ArrayBuffer>)).toBe('challenge');
      expect(asked?.rpId).toBe('photos.example');
      expect(asked?.allowCredentials).toHaveLength(1);
      expect(server.calls[1]?.body).toEqual({
        email: 'meera@studio.example',
        password: 'secret1',
        passkey: sentAnswer,
      });
    });

    it('asks for another challenge after one that was used up', async () => {
      const { get } = mockPasskeys();
      let asked = 0;
      mockServer({
        'POST /api/auth/login': (request) => {
          if ((request.body as { passkey?: object }).passkey === undefined) {
            asked += 1;
            return required(false, passkey(btoa(`challenge ${asked}`).replaceAll('=', '')));
          }
          return asked === 1
            ? json({ error: 'This passkey was not accepted. Please try again.', code: 'passkey_wrong' }, 400)
            : json({ token: 't1', user });
        },
      });
      renderScreen(<LoginPage />, '/login');
      await logIn();
      await userEvent.click(await screen.findByRole('button', { name: 'Use your passkey' }));
      expect(await screen.findByText('This passkey was not accepted. Please try again.')).toBeVisible();
      await userEvent.click(screen.getByRole('button', { name: 'Use your passkey' }));
      expect(await screen.findByText('arrived at /admin/overview')).toBeVisible();
      const challenges = get.mock.calls.map(([options]) =>
        new TextDecoder().decode(options.publicKey?.challenge as Uint8Array<ArrayBuffer>),
      );
      expect(challenges).toEqual(['challenge 1', 'challenge 2']);
    });

    it('says that it was declined, and takes a code instead', async () => {
      mockPasskeys({ declines: true });
      const server = mockServer({
        'POST /api/auth/login': (request) =>
          (request.body as { code?: string }).code === '123456'
            ? json({ token: 't1', user })
            : required(true, passkey('Y2hhbGxlbmdl')),
      });
      renderScreen(<LoginPage />, '/login');
      await logIn();
      await userEvent.click(await screen.findByRole('button', { name: 'Use your passkey' }));
      expect(await screen.findByText('The passkey could not be used. Please try again.')).toBeVisible();
      await userEvent.click(screen.getByRole('button', { name: 'Use a code instead' }));
      expect(screen.queryByRole('alert')).toBeNull();
      expect(screen.getByRole('button', { name: 'Use your passkey instead' })).toBeVisible();
      await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}');
      expect(await screen.findByText('arrived at /admin/overview')).toBeVisible();
      expect(server.calls[1]?.body).toMatchObject({ code: '123456' });
    });

    it('takes a recovery code where there is no app, and the browser or the address has no passkeys', async () => {
      mockServer({ 'POST /api/auth/login': () => required(false, null) });
      renderScreen(<LoginPage />, '/login');
      await logIn();
      expect(await screen.findByLabelText('Code')).toHaveAccessibleDescription('One of your recovery codes');
      expect(screen.queryByRole('button', { name: 'Use your passkey instead' })).toBeNull();
    });

    it('offers a recovery code beside the passkey where there is no app', async () => {
      mockPasskeys();
      mockServer({ 'POST /api/auth/login': () => required(false, passkey('Y2hhbGxlbmdl')) });
      renderScreen(<LoginPage />, '/login');
      await logIn();
      await userEvent.click(await screen.findByRole('button', { name: 'Use a recovery code instead' }));
      expect(screen.getByLabelText('Code')).toBeVisible();
      await userEvent.click(screen.getByRole('button', { name: 'Use your passkey instead' }));
      await userEvent.click(screen.getByRole('button', { name: 'Back' }));
      expect(screen.getByLabelText('Email')).toHaveValue('meera@studio.example');
    });
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
