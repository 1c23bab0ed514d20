import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedToken, storedUser } from '../../platform/storage/storage';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import AccountPage from './AccountPage';

const user = {
  id: 'u1',
  name: 'Meera K.',
  email: 'meera@studio.example',
  is_photographer: true,
  email_verified: true,
  premium: false,
  created_at: '2026-11-01T10:00:00Z',
};

function renderPage(overrides: Parameters<typeof mockServer>[0] = {}) {
  const server = mockServer({ 'GET /api/auth/me': () => json({ user }), ...overrides });
  renderScreen(<AccountPage />, '/admin/account');
  return server;
}

const card = (name: string) => within(screen.getByRole('region', { name }));
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const green = 'var(--mui-palette-success-main)';
const expectGreenFor3s = async (text: string) => {
  expect(getComputedStyle(screen.getByText(text)).color).toBe(green);
  await act(() => vi.advanceTimersByTimeAsync(2500));
  expect(screen.getByText(text)).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(screen.queryByText(text)).toBeNull();
};

beforeEach(signIn);

describe('/admin/account', () => {
  it('shows the cached user first, then the fresh one, and keeps it [ACC001] [ACC002] [ACC003] [ACC004] [ACC005] [ACC010] [API013]', async () => {
    const server = renderPage();
    expect(screen.getByText('Loading...')).toBeVisible();
    expect(card('Name').getByText('Meera Krishnan')).toBeVisible();
    expect(card('Name').queryByRole('textbox')).toBeNull();
    expect(await screen.findByText('Meera K.')).toBeVisible();
    expect(screen.queryByText('Loading...')).toBeNull();
    await waitFor(() => expect(storedUser.read()?.name).toBe('Meera K.'));
    expect(card('Email').getByText('meera@studio.example')).toBeVisible();
    expect(screen.getAllByRole('region')).toHaveLength(3);
    expect(screen.getByRole('region', { name: 'Password Reset' })).toBeVisible();
    const [call] = server.callsTo('GET /api/auth/me');
    expect(call?.headers.get('Authorization')).toBe('Bearer secret');
    expect([...(call?.query ?? [])]).toEqual([]);
  });

  it("says 'Failed to load user data' [ACC009]", async () => {
    renderPage({ 'GET /api/auth/me': () => errorResponse(500) });
    expect(await screen.findByText('Failed to load user data')).toBeVisible();
  });

  it('goes to /login on 401 [ACC008]', async () => {
    renderPage({ 'GET /api/auth/me': () => errorResponse(401) });
    expect(await screen.findByText('arrived at /login')).toBeVisible();
  });

  it.each([
    ['token', storedToken],
    ['cached user', storedUser],
  ])('goes to /login without a %s and sends no request [ACC006] [ACC007]', async (_, stored) => {
    stored.remove();
    const server = renderPage();
    expect(await screen.findByText('arrived at /login')).toBeVisible();
    expect(server.calls).toHaveLength(0);
  });

  it('changes the name [ACC011] [ACC012] [ACC013] [ACC014] [ACC015] [ACC016] [ACC017] [API016] [CONST030]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const server = renderPage({
      'PUT /api/auth/update-profile': () => json({ user: { ...user, name: 'Mira' } }),
    });
    await screen.findByText('Meera K.');
    press('Change Name');
    expect(screen.queryByRole('button', { name: 'Change Name' })).toBeNull();
    type('New name', 'X');
    fireEvent.click(card('Name').getByRole('button', { name: 'Cancel' }));
    press('Change Name');
    expect(screen.getByLabelText('New name')).toHaveValue('Meera K.');
    type('New name', '  ');
    expect(screen.getByRole('button', { name: 'Update Name' })).toBeDisabled();
    type('New name', 'Mira');
    press('Update Name');
    expect(await screen.findByText('Name updated successfully!')).toBeVisible();
    expect(screen.queryByLabelText('New name')).toBeNull();
    expect(server.callsTo('PUT /api/auth/update-profile')[0]?.body).toEqual({ name: 'Mira' });
    await expectGreenFor3s('Name updated successfully!');
  });

  it('says why a name was refused [ACC018] [ACC019]', async () => {
    const answers = [
      errorResponse(400, 'Name is required'),
      errorResponse(400),
      errorResponse(500, 'secret'),
    ];
    const server = renderPage({
      'PUT /api/auth/update-profile': () => answers.shift() ?? errorResponse(500),
    });
    await screen.findByText('Meera K.');
    press('Change Name');
    type('New name', 'Mira');
    press('Update Name');
    expect(await screen.findByText('Name is required')).toBeVisible();
    for (const calls of [2, 3]) {
      press('Update Name');
      await waitFor(() => expect(server.callsTo('PUT /api/auth/update-profile')).toHaveLength(calls));
      expect(await screen.findByText('Failed to update name')).toBeVisible();
    }
    expect(screen.queryByText('secret')).toBeNull();
  });

  it('changes the address once both fields are equal [ACC021] [ACC022] [ACC023] [ACC024] [ACC025] [ACC027] [ACC028] [ACC029] [ACC030] [API017] (U25)', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const server = renderPage({
      'PUT /api/auth/update-profile': () =>
        json({ user: { ...user, pending_email: 'new@studio.example', pending_email_needs_agreement: true } }),
    });
    await screen.findByText('Meera K.');
    press('Change Email');
    const update = () => screen.getByRole('button', { name: 'Update Email' });
    expect(update()).toBeDisabled();
    type('New email', 'new@studio.example');
    expect(screen.queryByText('Emails do not match')).toBeNull();
    expect(update()).toBeDisabled();
    type('Confirm email', 'new@studio.exmaple');
    expect(screen.getByText('Emails do not match')).toBeVisible();
    expect(update()).toBeDisabled();
    fireEvent.click(card('Email').getByRole('button', { name: 'Cancel' }));
    press('Change Email');
    expect(screen.getByLabelText('New email')).toHaveValue('');
    expect(screen.getByLabelText('Confirm email')).toHaveValue('');
    type('New email', 'new@studio.example');
    type('Confirm email', 'new@studio.example');
    press('Update Email');
    const sent = 'Links were sent to new@studio.example and to your current email.';
    expect(await screen.findByText(sent)).toBeVisible();
    expect(server.callsTo('PUT /api/auth/update-profile')[0]?.body).toEqual({ email: 'new@studio.example' });
    expect(screen.queryByLabelText('New email')).toBeNull();
    expect(card('Email').getByText(/waits for your agreement/)).toBeVisible();
    await expectGreenFor3s(sent);
  });

  it('takes the password as the shorter way to another address [ACC211]', async () => {
    const server = renderPage({
      'PUT /api/auth/update-profile': () =>
        json({
          user: { ...user, pending_email: 'new@studio.example', pending_email_needs_agreement: false },
        }),
    });
    await screen.findByText('Meera K.');
    press('Change Email');
    expect(screen.getByText(/^With your password the new email alone has to be confirmed/)).toBeVisible();
    type('New email', 'new@studio.example');
    type('Confirm email', 'new@studio.example');
    type('Current Password (optional)', 'secret1');
    press('Update Email');
    expect(await screen.findByText('A verification link was sent to new@studio.example.')).toBeVisible();
    expect(server.callsTo('PUT /api/auth/update-profile')[0]?.body).toEqual({
      email: 'new@studio.example',
      current_password: 'secret1',
    });
    expect(card('Email').getByText(/waits for its verification/)).toBeVisible();
  });

  it("refuses different addresses with 'Email addresses do not match' [ACC026] (X34)", async () => {
    const server = renderPage();
    await screen.findByText('Meera K.');
    press('Change Email');
    type('New email', 'a@example.com');
    type('Confirm email', 'b@example.com');
    fireEvent.submit(screen.getByLabelText('Confirm email'));
    expect(await screen.findByText('Email addresses do not match')).toBeVisible();
    expect(server.callsTo('PUT /api/auth/update-profile')).toHaveLength(0);
  });

  it('says why an address was refused [ACC031] [ACC032]', async () => {
    const answers = [
      errorResponse(400, 'Email already registered'),
      errorResponse(400),
      errorResponse(409, 'other'),
    ];
    const server = renderPage({
      'PUT /api/auth/update-profile': () => answers.shift() ?? errorResponse(500),
    });
    await screen.findByText('Meera K.');
    press('Change Email');
    type('New email', 'a@example.com');
    type('Confirm email', 'a@example.com');
    press('Update Email');
    expect(await screen.findByText('Email already registered')).toBeVisible();
    for (const calls of [2, 3]) {
      press('Update Email');
      await waitFor(() => expect(server.callsTo('PUT /api/auth/update-profile')).toHaveLength(calls));
      expect(await screen.findByText('Failed to update email')).toBeVisible();
    }
    expect(screen.queryByText('other')).toBeNull();
  });

  const fillPasswords = (wanted: string, confirmation = wanted) => {
    type('Current Password', 'secret1');
    type('New Password', wanted);
    type('Confirm New Password', confirmation);
  };

  it('changes the password [ACC037] [ACC038] [ACC039] [ACC040] [ACC045] [ACC046] [ACC047] [API019] [API020] [AUTH124]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const server = renderPage({
      'POST /api/auth/change-password': () => new Response(null, { status: 200 }),
    });
    await screen.findByText('Meera K.');
    press('Change Password');
    expect(screen.getByText('Password must be at least 6 characters long')).toBeVisible();
    const update = () => screen.getByRole('button', { name: 'Update Password' });
    const fields = ['Current Password', 'New Password', 'Confirm New Password'];
    expect(update()).toBeDisabled();
    for (const empty of fields) {
      fillPasswords('secret2');
      expect(update()).toBeEnabled();
      type(empty, '');
      expect(update()).toBeDisabled();
    }
    fillPasswords('secret2');
    fireEvent.click(card('Password Reset').getByRole('button', { name: 'Cancel' }));
    press('Change Password');
    for (const field of fields) expect(screen.getByLabelText(field)).toHaveValue('');
    fillPasswords('secret2');
    press('Update Password');
    expect(await screen.findByText('Password changed successfully!')).toBeVisible();
    expect(server.callsTo('POST /api/auth/change-password')[0]?.body).toEqual({
      current_password: 'secret1',
      new_password: 'secret2',
      keep_api_tokens: false,
    });
    expect(screen.queryByLabelText('New Password')).toBeNull();
    await expectGreenFor3s('Password changed successfully!');
  });

  it('keeps API tokens and logins of cameras with a new password where it is wished [AUTH124]', async () => {
    const server = renderPage({
      'POST /api/auth/change-password': () => json({ message: 'Password changed successfully!' }),
    });
    await screen.findByText('Meera K.');
    press('Change Password');
    fillPasswords('secret2');
    fireEvent.click(screen.getByLabelText('Keep API tokens and camera logins'));
    press('Update Password');
    expect(await screen.findByText('Password changed successfully!')).toBeVisible();
    expect(server.callsTo('POST /api/auth/change-password')[0]?.body).toMatchObject({
      keep_api_tokens: true,
    });
  });

  it('refuses different and short passwords, and says what the server refused [ACC041] [ACC042] [ACC048] [ACC049]', async () => {
    const answers = [errorResponse(400, 'Wrong one'), errorResponse(400), errorResponse(500)];
    const server = renderPage({
      'POST /api/auth/change-password': () => answers.shift() ?? errorResponse(500),
    });
    await screen.findByText('Meera K.');
    press('Change Password');
    fillPasswords('secret2', 'secret3');
    press('Update Password');
    expect(await screen.findByText('New passwords do not match')).toBeVisible();
    fillPasswords('12345');
    press('Update Password');
    expect(await screen.findByText('New password must be at least 6 characters long')).toBeVisible();
    expect(server.callsTo('POST /api/auth/change-password')).toHaveLength(0);
    fillPasswords('secret2');
    for (const text of ['Wrong one', 'Invalid current password', 'Failed to change password']) {
      press('Update Password');
      expect(await screen.findByText(text)).toBeVisible();
    }
  });

  it('deletes the account after the password (U29)', async () => {
    const answers = [errorResponse(400, 'Invalid current password'), new Response(null, { status: 204 })];
    const server = renderPage({ 'DELETE /api/auth/me': () => answers.shift() ?? errorResponse(500) });
    await screen.findByText('Meera K.');
    press('Delete account');
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByLabelText('Password'), { target: { value: 'secret1' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Delete account' }));
    expect(await dialog.findByText('Invalid current password')).toBeVisible();
    fireEvent.click(dialog.getByRole('button', { name: 'Delete account' }));
    await waitFor(() => expect(localStorage).toHaveLength(0));
    expect(server.callsTo('DELETE /api/auth/me')[1]?.body).toEqual({ password: 'secret1' });
  });
});
