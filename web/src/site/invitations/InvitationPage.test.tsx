import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { setLoginNavigation } from '../../platform/api/authorizedFetch';
import { storedInvitation } from '../../platform/invitation';
import { anEvent } from '../../testing/fixtures';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import InvitationPage from './InvitationPage';

const user = userEvent.setup();
const invitation = {
  event_name: 'Sangeet',
  event_date: '2026-11-14',
  owner_name: 'Mira Sen',
  invited_by: 'Asha Rao',
  role: 'contributor',
  expires_at: '2099-11-19T09:00:00Z',
};
const over = 'This invitation has expired, was withdrawn or was used. Ask for a new one.';

function renderInvitation(more: Parameters<typeof mockServer>[0] = {}, at = '/invitation#secret') {
  const server = mockServer({ 'POST /api/invitations/look': () => json(invitation), ...more });
  return { server, ...renderScreen(<InvitationPage />, at) };
}

beforeEach(() => {
  localStorage.clear();
  setLoginNavigation(() => undefined);
});

it('says what it is to, by whom and who pays, and takes the token out of the address', async () => {
  const { server, router } = renderInvitation();
  expect(await screen.findByText('Sangeet')).toBeVisible();
  expect(screen.getByText(/^Asha Rao invites you to upload photos to/)).toBeVisible();
  expect(screen.getByText('Mira Sen pays for photos of this event.')).toBeVisible();
  expect(screen.getByText('The invitation is good until 19 Nov 2099.')).toBeVisible();
  expect(router.state.location.hash).toBe('');
  expect(server.callsTo('POST /api/invitations/look').map(({ body }) => body)).toEqual([{ token: 'secret' }]);
});

it.each(['Login', 'Register'])('waits for whoever is logged out and chooses %s', async (name) => {
  renderInvitation();
  await user.click(await screen.findByRole('link', { name }));
  expect(await screen.findByText(`arrived at /${name.toLowerCase()}`)).toBeVisible();
  expect(storedInvitation.read()).toEqual({ token: 'secret', expires_at: invitation.expires_at });
});

it('waits for nobody who only looks at it, nor once it has expired', async () => {
  renderInvitation();
  expect(await screen.findByRole('link', { name: 'Login' })).toBeVisible();
  expect(storedInvitation.read()).toBeNull();
  storedInvitation.write({ token: 'old', expires_at: '2020-01-01T00:00:00Z' });
  expect(storedInvitation.read()).toBeNull();
});

it.each([
  ['contributor', '/admin/upload'],
  ['manager', '/admin/gallery'],
] as const)('is accepted by a %s, who comes to %s', async (role, path) => {
  signIn();
  const { server, router } = renderInvitation({
    'POST /api/invitations/look': () => json({ ...invitation, role, invited_by: null }),
    'POST /api/invitations/accept': () => json(anEvent({ role, owner_name: 'Mira Sen' })),
  });
  expect(await screen.findByText(/^Mira Sen invites you to/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Accept the invitation' }));
  expect(await screen.findByText(`arrived at ${path}`)).toBeVisible();
  expect(router.state.location.search).toBe('?event=e1');
  expect(screen.getByText('You are in the team of Sangeet now.')).toBeVisible();
  expect(server.callsTo('POST /api/invitations/accept')[0]?.body).toEqual({ token: 'secret' });
});

it('waits when the session has ended meanwhile', async () => {
  signIn();
  renderInvitation({
    'POST /api/invitations/accept': () =>
      errorResponse(401, 'Please log in to continue.', 'sign_in_required'),
  });
  await user.click(await screen.findByRole('button', { name: 'Accept the invitation' }));
  expect(await screen.findByText('Please log in to continue.')).toBeVisible();
  expect(storedInvitation.read()?.token).toBe('secret');
});

it('is declined without an account', async () => {
  const answers = [() => errorResponse(503), () => new Response(null, { status: 204 })];
  const { server } = renderInvitation({
    'POST /api/invitations/decline': () => (answers.shift() ?? (() => errorResponse(500)))(),
  });
  await user.click(await screen.findByRole('button', { name: 'Decline' }));
  expect(await screen.findByText('Your answer could not be saved. Please try again.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Decline' }));
  expect(await screen.findByText('You have declined the invitation.')).toBeVisible();
  expect(server.callsTo('POST /api/invitations/decline')[1]?.body).toEqual({ token: 'secret' });
});

it('says when it is over, when the link is cut, and when it could not be loaded', async () => {
  const first = renderInvitation({
    'POST /api/invitations/look': () => errorResponse(404, over, 'invitation_expired'),
  });
  expect(await screen.findByText(over)).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  first.unmount();

  const second = renderInvitation({}, '/invitation');
  expect(screen.getByRole('alert')).toHaveTextContent('The link is not complete.');
  second.unmount();

  const answers = [() => errorResponse(503)];
  renderInvitation({ 'POST /api/invitations/look': () => answers.shift()?.() ?? json(invitation) });
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Sangeet')).toBeVisible();
});
