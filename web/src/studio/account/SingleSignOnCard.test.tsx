import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { SingleSignOnCard } from './SingleSignOnCard';

const unlinked = {
  label: 'Studio login',
  linked: false,
  can_unlink: true,
  linked_at: null,
  last_used_at: null,
};
const linked = { ...unlinked, linked: true, linked_at: '2026-11-01T09:00:00Z' };

const site = { 'GET /api/site': () => json({ passwords: true, single_sign_on: 'Studio login' }) };

beforeEach(signIn);
afterEach(() => vi.unstubAllGlobals());

describe('single sign-on of an account [AUTH237]', () => {
  it('is nothing where the service has none', async () => {
    const server = mockServer({
      'GET /api/site': () => json({ passwords: true, single_sign_on: null }),
    });
    renderScreen(<SingleSignOnCard />, '/admin/account');
    await waitFor(() => expect(server.calls).toHaveLength(1));
    expect(screen.queryByRole('region')).toBeNull();
    expect(server.calls.map(({ path }) => path)).toEqual(['/api/site']);
  });

  it('is linked at the provider, after the password', async () => {
    const assign = vi.fn();
    vi.stubGlobal('location', { href: window.location.href, origin: window.location.origin, assign });
    const server = mockServer({
      ...site,
      'GET /api/auth/oidc/link': () => json(unlinked),
      'POST /api/auth/oidc/link': () => json({ url: 'https://login.example/authorize?state=s' }),
    });
    renderScreen(<SingleSignOnCard />, '/admin/account');
    expect(await screen.findByRole('heading', { name: 'Studio login' })).toBeVisible();
    expect(screen.getByText('It does not open your account yet.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Link' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Link Studio login?' }));
    await userEvent.type(dialog.getByLabelText('Current Password'), 'correct horse');
    await userEvent.click(dialog.getByRole('button', { name: 'Link' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://login.example/authorize?state=s'));
    expect(server.callsTo('POST /api/auth/oidc/link')[0]?.body).toEqual({ password: 'correct horse' });
  });

  it('is unlinked after the password, and says what is wrong with that', async () => {
    let state: object = { ...linked, last_used_at: '2026-11-20T09:05:00Z' };
    mockServer({
      ...site,
      'GET /api/auth/oidc/link': () => json(state),
      'DELETE /api/auth/oidc/link': ({ body }) => {
        if ((body as { password: string }).password !== 'correct horse')
          return errorResponse(400, 'Invalid current password', 'current_password_wrong');
        state = unlinked;
        return json({ success: true });
      },
    });
    renderScreen(<SingleSignOnCard />, '/admin/account');
    expect(await screen.findByText(/^Linked, last used .*20/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Unlink' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Unlink Studio login?' }));
    const field = dialog.getByLabelText('Current Password');
    await userEvent.type(field, 'wrong');
    await userEvent.click(dialog.getByRole('button', { name: 'Unlink' }));
    expect(await dialog.findByText('Invalid current password')).toBeVisible();
    await userEvent.clear(field);
    await userEvent.type(field, 'correct horse{Enter}');
    expect(await screen.findByText('It does not open your account yet.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('stays linked where there are no passwords', async () => {
    mockServer({ ...site, 'GET /api/auth/oidc/link': () => json({ ...linked, can_unlink: false }) });
    renderScreen(<SingleSignOnCard />, '/admin/account');
    expect(await screen.findByText('Linked')).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each([
    ['#linked', 'Single sign-on opens your account now.'],
    ['#refused=single_sign_on_taken', 'This single sign-on is linked to another account.'],
    [
      '#refused=single_sign_on_unavailable',
      'Single sign-on is not reachable right now. Please try again in a few minutes.',
    ],
    ['#refused=something_else', 'Single sign-on could not be linked. Please try again.'],
  ])('says what has come of the way to the provider: %s', async (hash, text) => {
    mockServer({ ...site, 'GET /api/auth/oidc/link': () => json(unlinked) });
    renderScreen(<SingleSignOnCard />, `/admin/account${hash}`);
    expect(await screen.findByText(text)).toBeVisible();
  });
});
