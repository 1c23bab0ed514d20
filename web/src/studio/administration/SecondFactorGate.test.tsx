import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '../../platform/api/errors';
import { mockPasskeys, sentAnswer } from '../../testing/passkeys';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { SecondFactorGate } from './SecondFactorGate';
import { signInAsAdministrator } from './testing';

const route = '/api/auth/second-factor';
const state = (administration: string) => ({
  since: administration === 'set_up' ? null : '2026-11-20T09:00:00Z',
  last_used_at: null,
  passkeys: 0,
  passkeys_available: true,
  recovery_codes: administration === 'set_up' ? 0 : 10,
  administration,
});

beforeEach(signInAsAdministrator);

const show = () =>
  renderScreen(
    <SecondFactorGate>
      <p>the overview</p>
    </SecondFactorGate>,
    '/admin/administration',
  );

test('what asks for nothing is shown', async () => {
  mockServer({ [`GET ${route}`]: () => json(state('nothing')) });
  show();
  expect(await screen.findByText('the overview')).toBeVisible();
});

test('a code opens it', async () => {
  let asks = 'code';
  const server = mockServer({
    [`GET ${route}`]: () => json(state(asks)),
    [`POST ${route}/check`]: (request) => {
      if ((request.body as { code: string }).code !== '123456')
        return errorResponse(400, 'This code is wrong, or was used before. Please enter the newest one.');
      asks = 'nothing';
      return json({ success: true });
    },
  });
  show();
  expect(await screen.findByRole('heading', { name: 'Enter your code' })).toBeVisible();
  expect(screen.queryByText('the overview')).toBeNull();
  await userEvent.type(screen.getByLabelText('Code'), '000000{Enter}');
  expect(await screen.findByText(/This code is wrong/)).toBeVisible();
  await userEvent.clear(screen.getByLabelText('Code'));
  await userEvent.type(screen.getByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('the overview')).toBeVisible();
  expect(server.callsTo(`POST ${route}/check`)).toHaveLength(2);
});

test('at the first visit it is set up, and the recovery codes are shown once', async () => {
  let asks = 'set_up';
  const server = mockServer({
    [`GET ${route}`]: () => json(state(asks)),
    [`POST ${route}`]: () => json({ secret: 'ABCDEFGH', uri: 'otpauth://totp/Afterglow:a?secret=ABCDEFGH' }),
    [`POST ${route}/confirm`]: () => {
      asks = 'nothing';
      return json({ recovery_codes: ['aaaa-bbbb-cccc', 'dddd-eeee-ffff'] });
    },
  });
  const user = userEvent.setup();
  show();
  expect(await screen.findByRole('heading', { name: 'Set up two-step login' })).toBeVisible();
  await user.type(screen.getByLabelText('Current Password'), 'correct horse{Enter}');
  expect(await screen.findByText('ABCD EFGH')).toBeVisible();
  expect(await screen.findByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible();
  await user.type(screen.getByLabelText('Code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Turn on' }));
  expect(await screen.findByText('dddd-eeee-ffff')).toBeVisible();
  expect(screen.queryByText('the overview')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe('aaaa-bbbb-cccc\ndddd-eeee-ffff');
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(await screen.findByText('the overview')).toBeVisible();
  expect(server.callsTo(`POST ${route}`)[0]?.body).toEqual({ password: 'correct horse' });
  expect(server.callsTo(`POST ${route}/confirm`)[0]?.body).toEqual({ code: '123456' });
});

test('a passkey opens it, and a code does instead', async () => {
  mockPasskeys();
  let asks = 'code';
  const server = mockServer({
    [`GET ${route}`]: () => json({ ...state(asks), since: null, passkeys: 1 }),
    [`POST ${route}/passkey`]: () => json({ challenge: 'YQ', rp_id: 'photos.example', credentials: ['aWQ'] }),
    [`POST ${route}/check`]: () => {
      asks = 'nothing';
      return json({ success: true });
    },
  });
  show();
  expect(await screen.findByRole('heading', { name: 'Use your passkey' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
  expect(screen.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Use a passkey instead' }));
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('the overview')).toBeVisible();
  expect(server.callsTo(`POST ${route}/check`)[0]?.body).toEqual({ passkey: sentAnswer });
});

test('at the first visit a passkey can be added instead', async () => {
  mockPasskeys();
  let asks = 'set_up';
  mockServer({
    [`GET ${route}`]: () => json(state(asks)),
    'POST /api/auth/passkeys': () =>
      json({ challenge: 'YQ', rp_id: 'a.example', user_handle: 'YQ', user_name: 'a', excluded: [] }),
    'POST /api/auth/passkeys/confirm': () => {
      asks = 'nothing';
      return json({ passkey: {}, recovery_codes: ['aaaa-bbbb-cccc'] }, 201);
    },
  });
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Use a passkey instead' }));
  await userEvent.type(screen.getByLabelText('Passkey name'), 'Phone');
  await userEvent.type(screen.getByLabelText('Current Password'), 'correct horse{Enter}');
  expect(await screen.findByText('aaaa-bbbb-cccc')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Use an authenticator app instead' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(await screen.findByText('the overview')).toBeVisible();
});

test.each([
  ['says that it is set', () => json(state('nothing'))],
  ['fails', () => errorResponse(500)],
])(
  'the recovery codes stay when the window is left and entered again, and what it asks for %s',
  async (_, later) => {
    let isSet = false;
    const server = mockServer({
      [`GET ${route}`]: () => (isSet ? later() : json(state('set_up'))),
      [`POST ${route}`]: () =>
        json({ secret: 'ABCDEFGH', uri: 'otpauth://totp/Afterglow:a?secret=ABCDEFGH' }),
      [`POST ${route}/confirm`]: () => {
        isSet = true;
        return json({ recovery_codes: ['aaaa-bbbb-cccc'] });
      },
    });
    const user = userEvent.setup();
    const { client } = show();
    await user.type(await screen.findByLabelText('Current Password'), 'correct horse{Enter}');
    await user.type(await screen.findByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByText('aaaa-bbbb-cccc')).toBeVisible();
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(server.callsTo(`GET ${route}`)).toHaveLength(2));
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(screen.getByText('aaaa-bbbb-cccc')).toBeVisible();
    expect(screen.queryByText('the overview')).toBeNull();
    expect(screen.queryByText('Two-step login could not be loaded.')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(await screen.findByText(/^the overview$|^Two-step login could not be loaded\.$/)).toBeVisible();
  },
);

test('when the 12 hours end while a screen is shown, it asks again', async () => {
  let asks = 'nothing';
  mockServer({ [`GET ${route}`]: () => json(state(asks)) });
  function Screen() {
    const overview = useQuery({
      queryKey: ['overview'],
      queryFn: () =>
        asks === 'nothing'
          ? Promise.resolve('the overview')
          : Promise.reject(new ApiError(403, 'closed', { code: 'administration_asks_for_code' })),
      retry: false,
    });
    return <button onClick={() => void overview.refetch()}>{overview.data ?? 'nothing'}</button>;
  }
  renderScreen(
    <SecondFactorGate>
      <Screen />
    </SecondFactorGate>,
    '/admin/administration',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'the overview' }));
  asks = 'code';
  await userEvent.click(screen.getByRole('button', { name: 'the overview' }));
  expect(await screen.findByRole('heading', { name: 'Enter your code' })).toBeVisible();
});

test('what could not be loaded is asked for again', async () => {
  let fails = true;
  mockServer({ [`GET ${route}`]: () => (fails ? errorResponse(500) : json(state('nothing'))) });
  show();
  expect(await screen.findByText('Two-step login could not be loaded.')).toBeVisible();
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.getByText('the overview')).toBeVisible());
});
