import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { SecondFactorCard } from './SecondFactorCard';

const route = '/api/auth/second-factor';
const off = {
  since: null,
  last_used_at: null,
  passkeys: 0,
  passkeys_available: true,
  recovery_codes: 0,
  administration: 'nothing',
};
const on = {
  since: '2026-11-20T09:00:00Z',
  last_used_at: '2026-11-21T09:00:00Z',
  passkeys: 0,
  passkeys_available: true,
  recovery_codes: 9,
  administration: 'nothing',
};

beforeEach(signIn);

test('two-step login is set up [AUTH205]', async () => {
  let state: object = off;
  mockServer({
    [`GET ${route}`]: () => json(state),
    [`POST ${route}`]: () => json({ secret: 'ABCDEFGH', uri: 'otpauth://totp/Afterglow:a?secret=ABCDEFGH' }),
    [`POST ${route}/confirm`]: () => {
      state = on;
      return json({ recovery_codes: ['aaaa-bbbb-cccc'] });
    },
  });
  const user = userEvent.setup();
  renderScreen(<SecondFactorCard />, '/admin/account');
  expect(await screen.findByText(/^Off\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Set up' }));
  await user.type(screen.getByLabelText('Current Password'), 'correct horse{Enter}');
  await user.type(await screen.findByLabelText('Code'), '123456{Enter}');
  expect(await screen.findByText('aaaa-bbbb-cccc')).toBeVisible();
  expect(await screen.findByText(/^On since/)).toBeVisible();
  expect(screen.getByText('aaaa-bbbb-cccc')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(await screen.findByText('Two-step login is on.')).toBeVisible();
  expect(await screen.findByText(/^On since .* 9 recovery codes are left\.$/)).toBeVisible();
  expect(screen.queryByText('aaaa-bbbb-cccc')).toBeNull();
});

test('it is turned off with password and code', async () => {
  let state: object = on;
  const server = mockServer({
    [`GET ${route}`]: () => json(state),
    [`DELETE ${route}`]: (request) => {
      if ((request.body as { password: string }).password !== 'correct horse')
        return errorResponse(400, 'Invalid current password');
      state = off;
      return json({ success: true });
    },
  });
  const user = userEvent.setup();
  renderScreen(<SecondFactorCard />, '/admin/account');
  await user.click(await screen.findByRole('button', { name: 'Turn off' }));
  await user.type(screen.getByLabelText('Current Password'), 'wrong horse');
  await user.type(screen.getByLabelText('Code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Turn off two-step login' }));
  expect(await screen.findByText('Invalid current password')).toBeVisible();
  await user.clear(screen.getByLabelText('Current Password'));
  await user.type(screen.getByLabelText('Current Password'), 'correct horse{Enter}');
  expect(await screen.findByText(/^Off\./)).toBeVisible();
  expect(server.callsTo(`DELETE ${route}`)[1]?.body).toEqual({ password: 'correct horse', code: '123456' });
});

test('beside passkeys the app gives no new recovery codes, and leaves two-step login on', async () => {
  let state: object = { ...off, passkeys: 2, recovery_codes: 10 };
  mockServer({
    [`GET ${route}`]: () => json(state),
    [`POST ${route}`]: () => json({ secret: 'ABCDEFGH', uri: 'otpauth://totp/Afterglow:a?secret=ABCDEFGH' }),
    [`POST ${route}/confirm`]: () => {
      state = { ...on, passkeys: 2 };
      return json({ recovery_codes: [] });
    },
    [`DELETE ${route}`]: () => {
      state = { ...off, passkeys: 2, recovery_codes: 9 };
      return json({ success: true });
    },
  });
  const user = userEvent.setup();
  renderScreen(<SecondFactorCard />, '/admin/account');
  const without = 'On, with passkeys and no authenticator app.';
  expect(await screen.findByText(`${without} 10 recovery codes are left.`)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Set up' }));
  await user.type(screen.getByLabelText('Current Password'), 'correct horse{Enter}');
  await user.type(await screen.findByLabelText('Code'), '123456{Enter}');
  expect(await screen.findByText(/^On since/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Turn off' }));
  await user.type(screen.getByLabelText('Current Password'), 'correct horse');
  await user.type(screen.getByLabelText('Code'), '123456{Enter}');
  expect(await screen.findByText('The authenticator app was removed.')).toBeVisible();
  expect(await screen.findByText(`${without} 9 recovery codes are left.`)).toBeVisible();
});

test('what could not be loaded is said', async () => {
  mockServer({ [`GET ${route}`]: () => errorResponse(500) });
  renderScreen(<SecondFactorCard />, '/admin/account');
  expect(await screen.findByText('Two-step login could not be loaded.')).toBeVisible();
});
