import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../testing/render';
import { errorResponse, json, mockServer } from '../../../testing/server';
import { SettingsPage } from './SettingsPage';

const route = '/api/events/e1/ftp';
const service = { host: 'photos.example', port: 2121, encryption: 'required' };
const login = {
  user_name: 'k7m2q9wd',
  created_at: '2026-11-20T09:00:00Z',
  expires_at: '2099-11-20T09:00:00Z',
  last_used_at: null,
};

beforeEach(signIn);

/** Opens the dialog in the settings of the event. */
async function open(handlers: Parameters<typeof mockServer>[0]) {
  const user = userEvent.setup();
  const server = mockServer({ ...listing(() => [anEvent()]), ...handlers });
  renderEventScreen(<SettingsPage team={null} people={null} />, '/admin/settings?event=e1');
  await user.click(await screen.findByRole('button', { name: 'Set up Camera (FTP)' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Camera (FTP)' }));
  return { server, user, dialog };
}

test('a login is made, its password shown once, replaced and switched off', async () => {
  let stored: object | null = null;
  let made = 0;
  const { server, user, dialog } = await open({
    [`GET ${route}`]: () => json({ service, login: stored }),
    [`PUT ${route}`]: () => {
      made += 1;
      stored = { ...login, user_name: `user${made}` };
      return json({ service, login: stored, password: `password${made}` });
    },
    [`DELETE ${route}`]: () => json({ success: true }),
  });
  expect(await dialog.findByText(/FTPS \(explicit TLS\)/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Switch on' }));
  expect(server.callsTo(`PUT ${route}`)).toHaveLength(0);
  await user.type(dialog.getByLabelText('Current Password'), 'correct horse');
  await user.click(dialog.getByRole('button', { name: 'Switch on' }));
  expect(await dialog.findByText('password1')).toBeVisible();
  expect(server.callsTo(`PUT ${route}`)[0]?.body).toEqual({ password: 'correct horse', lifetime_days: 365 });
  expect(dialog.queryByLabelText('Current Password')).toBeNull();
  expect(dialog.getByText(/^Expires on .*2099/)).toBeVisible();
  for (const value of ['photos.example', '2121', 'user1', 'Never used']) {
    expect(dialog.getByText(value)).toBeVisible();
  }
  await user.click(dialog.getByRole('button', { name: 'Copy password' }));
  expect(await navigator.clipboard.readText()).toBe('password1');
  expect(await dialog.findByText('Copied')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'New password' }));
  await user.selectOptions(dialog.getByLabelText('Good for'), 'Until it is switched off');
  await user.type(dialog.getByLabelText('Current Password'), 'correct horse{Enter}');
  expect(await dialog.findByText('password2')).toBeVisible();
  expect(dialog.queryByText('user1')).toBeNull();
  expect(server.callsTo(`PUT ${route}`)[1]?.body).toMatchObject({ lifetime_days: null });
  await user.click(dialog.getByRole('button', { name: 'Switch off' }));
  await waitFor(() => expect(dialog.queryByText('user2')).toBeNull());
  expect(server.callsTo(`DELETE ${route}`)).toHaveLength(1);
  expect(dialog.getByRole('button', { name: 'Switch on' })).toBeVisible();
});

test('a login that is there is shown without its password', async () => {
  const used = { ...login, last_used_at: '2026-11-20T09:05:00Z' };
  const { user, dialog } = await open({ [`GET ${route}`]: () => json({ service, login: used }) });
  expect(await dialog.findByText('k7m2q9wd')).toBeVisible();
  expect(dialog.getByText(/^Last used .*20/)).toBeVisible();
  expect(dialog.queryByText('Password')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('without FTP that is said, and so is what failed', async () => {
  const { dialog } = await open({ [`GET ${route}`]: () => json({ service: null, login: null }) });
  expect(await dialog.findByText(/Its operator can switch that on/)).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Switch on' })).toBeNull();
});

test('an error of loading or of making is shown', async () => {
  const refusal = 'Invalid current password';
  const { user, dialog } = await open({
    [`GET ${route}`]: () => json({ service: { ...service, encryption: 'none' }, login: null }),
    [`PUT ${route}`]: () => errorResponse(400, refusal),
  });
  expect(await dialog.findByText(/Nothing is encrypted/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Switch on' }));
  await user.type(dialog.getByLabelText('Current Password'), 'wrong horse{Enter}');
  expect(await dialog.findByText(refusal)).toBeVisible();
});
