import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { mockPasskeys } from '../../testing/passkeys';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { PasskeysCard } from './PasskeysCard';

const route = '/api/auth/passkeys';
const phone = {
  id: 'p1',
  name: 'My phone',
  created_at: '2026-11-20T09:00:00Z',
  last_used_at: null,
};
const question = {
  challenge: 'Y2hhbGxlbmdl',
  rp_id: 'photos.example',
  user_handle: 'dXNlcg',
  user_name: 'meera@studio.example',
  excluded: ['b2xk'],
};

beforeEach(signIn);

const text = (source: BufferSource | undefined): string => new TextDecoder().decode(source);

test('a passkey is added, and the recovery codes are shown once [AUTH212]', async () => {
  const { create } = mockPasskeys();
  let listed: object[] = [];
  const server = mockServer({
    [`GET ${route}`]: () => json({ available: true, passkeys: listed }),
    [`POST ${route}`]: (request) =>
      (request.body as { password: string }).password === 'correct horse'
        ? json(question)
        : errorResponse(400, 'Invalid current password'),
    [`POST ${route}/confirm`]: () => {
      listed = [phone];
      return json({ passkey: phone, recovery_codes: ['aaaa-bbbb-cccc'] }, 201);
    },
  });
  const user = userEvent.setup();
  renderScreen(<PasskeysCard />, '/admin/account');
  await user.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Please give the passkey a name')).toBeVisible();
  await user.type(screen.getByLabelText('Passkey name'), ' My phone ');
  await user.type(screen.getByLabelText('Current Password'), 'wrong horse{Enter}');
  expect(await screen.findByText('Invalid current password')).toBeVisible();
  expect(create).not.toHaveBeenCalled();
  await user.clear(screen.getByLabelText('Current Password'));
  await user.type(screen.getByLabelText('Current Password'), 'correct horse{Enter}');
  expect(await screen.findByText('aaaa-bbbb-cccc')).toBeVisible();
  expect(await screen.findByText('My phone')).toBeVisible();
  expect(screen.getByText('aaaa-bbbb-cccc')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByText('aaaa-bbbb-cccc')).toBeNull();
  expect(await screen.findByRole('button', { name: 'Add a passkey' })).toBeVisible();

  const asked = create.mock.calls[0]?.[0].publicKey;
  expect(text(asked?.challenge)).toBe('challenge');
  expect(asked?.rp).toEqual({ id: 'photos.example', name: 'Afterglow' });
  expect(text(asked?.user.id)).toBe('user');
  expect(text(asked?.excludeCredentials?.[0]?.id)).toBe('old');
  expect(asked?.attestation).toBe('none');
  expect(server.callsTo(`POST ${route}/confirm`)[0]?.body).toEqual({
    name: 'My phone',
    client_data_json: 'bWFkZQ',
    attestation_object: 'a2V5',
  });
});

test('without new recovery codes it is done at once, and what the person declines is said', async () => {
  const { create } = mockPasskeys({ declines: true });
  mockServer({
    [`GET ${route}`]: () => json({ available: true, passkeys: [phone] }),
    [`POST ${route}`]: () => json(question),
    [`POST ${route}/confirm`]: () => json({ passkey: phone, recovery_codes: [] }, 201),
  });
  const user = userEvent.setup();
  renderScreen(<PasskeysCard />, '/admin/account');
  await user.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  await user.type(screen.getByLabelText('Passkey name'), 'Key');
  await user.type(screen.getByLabelText('Current Password'), 'correct horse{Enter}');
  expect(await screen.findByText('The passkey could not be added. Please try again.')).toBeVisible();
  create.mockResolvedValue({
    response: { clientDataJSON: new ArrayBuffer(1), attestationObject: new ArrayBuffer(1) },
  });
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(screen.queryByLabelText('Passkey name')).toBeNull());
});

test('a passkey is removed with the password', async () => {
  mockPasskeys();
  let listed: object[] = [{ ...phone, last_used_at: '2026-11-21T09:00:00Z' }];
  const server = mockServer({
    [`GET ${route}`]: () => json({ available: true, passkeys: listed }),
    [`DELETE ${route}/p1`]: (request) => {
      if ((request.body as { password: string }).password !== 'correct horse')
        return errorResponse(400, 'Invalid current password');
      listed = [];
      return json({ success: true });
    },
  });
  const user = userEvent.setup();
  renderScreen(<PasskeysCard />, '/admin/account');
  expect(await screen.findByText(/^Last used/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Remove My phone' }));
  expect(screen.getByRole('dialog', { name: 'Remove My phone?' })).toBeVisible();
  await user.type(screen.getByLabelText('Current Password'), 'wrong horse{Enter}');
  expect(await screen.findByText('Invalid current password')).toBeVisible();
  await user.clear(screen.getByLabelText('Current Password'));
  await user.type(screen.getByLabelText('Current Password'), 'correct horse{Enter}');
  await waitFor(() => expect(screen.queryByText('My phone')).toBeNull());
  expect(server.callsTo(`DELETE ${route}/p1`)).toHaveLength(2);
});

test('it is not offered where there can be none, and those that are there can be removed [AUTH216]', async () => {
  mockPasskeys();
  let listed: object[] = [];
  mockServer({ [`GET ${route}`]: () => json({ available: false, passkeys: listed }) });
  const { unmount } = renderScreen(<PasskeysCard />, '/admin/account');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Passkeys' })).toBeNull());
  unmount();
  listed = [phone];
  renderScreen(<PasskeysCard />, '/admin/account');
  expect(await screen.findByRole('button', { name: 'Remove My phone' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('a browser without passkeys says so, and ten are enough', async () => {
  mockServer({ [`GET ${route}`]: () => json({ available: true, passkeys: [] }) });
  const { unmount } = renderScreen(<PasskeysCard />, '/admin/account');
  expect(await screen.findByText('This browser cannot use passkeys.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  unmount();
  mockPasskeys();
  const ten = Array.from({ length: 10 }, (_, n) => ({ ...phone, id: `p${n}`, name: `Key ${n}` }));
  mockServer({ [`GET ${route}`]: () => json({ available: true, passkeys: ten }) });
  renderScreen(<PasskeysCard />, '/admin/account');
  expect(await screen.findByText('Key 9')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('what could not be loaded is said', async () => {
  mockServer({ [`GET ${route}`]: () => errorResponse(500) });
  renderScreen(<PasskeysCard />, '/admin/account');
  expect(await screen.findByText('The passkeys could not be loaded.')).toBeVisible();
});
