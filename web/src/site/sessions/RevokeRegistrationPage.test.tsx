import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import RevokeRegistrationPage from './RevokeRegistrationPage';

const call = 'POST /api/auth/revoke-registration';
const press = () => userEvent.click(screen.getByRole('button', { name: 'Remove the account' }));

it('removes the account when the button is pressed, and not before [AUTH190]', async () => {
  const server = mockServer({ [call]: () => json({ success: true }) });
  renderScreen(<RevokeRegistrationPage />, '/revoke-registration#token=abc');
  expect(screen.getByRole('heading', { name: "This wasn't me" })).toBeVisible();
  expect(server.calls).toHaveLength(0);
  await press();
  expect(await screen.findByText('The account is removed. There is nothing else to do.')).toBeVisible();
  expect(server.callsTo(call)[0]?.body).toEqual({ token: 'abc' });
  expect(screen.queryByRole('button', { name: 'Remove the account' })).toBeNull();
});

it('says why it could not', async () => {
  const answers = [errorResponse(400, 'Invalid or expired verification token'), errorResponse(503)];
  mockServer({ [call]: () => answers.shift() ?? errorResponse(500) });
  renderScreen(<RevokeRegistrationPage />, '/revoke-registration#token=abc');
  await press();
  expect(await screen.findByText('Invalid or expired verification token')).toBeVisible();
  await press();
  expect(await screen.findByText('The account could not be removed. Please try again.')).toBeVisible();
});

it('refuses a link without token, and takes one of an earlier version from the query', async () => {
  const server = mockServer({ [call]: () => json({ success: true }) });
  const { unmount } = renderScreen(<RevokeRegistrationPage />, '/revoke-registration');
  expect(screen.getByText('The link is incomplete: it carries no token.')).toBeVisible();
  expect(server.calls).toHaveLength(0);
  unmount();
  renderScreen(<RevokeRegistrationPage />, '/revoke-registration?token=abc');
  await press();
  expect(await screen.findByText(/^The account is removed/)).toBeVisible();
  expect(server.callsTo(call)[0]?.body).toEqual({ token: 'abc' });
});
