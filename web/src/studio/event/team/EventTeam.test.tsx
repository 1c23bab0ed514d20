import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { selectEvent } from '../../../platform/session/selection';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../testing/render';
import { errorResponse, json, mockServer } from '../../../testing/server';
import { EventTeam } from './EventTeam';

const user = userEvent.setup();
const member = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  email: `${id}@studio.example`,
  role: 'contributor',
  since: '2026-11-10T09:00:00Z',
  photos: 12,
  is_you: false,
  ...more,
});
const invitation = (id: string, email: string, more: object = {}) => ({
  id,
  email,
  role: 'contributor',
  invited_by: 'Meera Krishnan',
  sent_at: '2026-11-12T09:00:00Z',
  expires_at: '2026-11-19T09:00:00Z',
  expired: false,
  ...more,
});
const ravi = member('ravi', 'Ravi Menon');
const asha = member('asha', 'Asha Rao', { role: 'manager', photos: 0 });

type Team = Record<'members' | 'invitations', object[]>;

function renderTeam(team: Team, more: Parameters<typeof mockServer>[0] = {}, role = 'owner') {
  selectEvent(anEvent());
  const server = mockServer({
    ...listing(() => [anEvent({ role: role as 'owner', owner_name: role === 'owner' ? null : 'Mira Sen' })]),
    'GET /api/events/e1/team': () => json({ owner: { name: 'Mira Sen', photos: 40 }, ...team }),
    ...more,
  });
  return { server, ...renderEventScreen(<EventTeam />, '/admin/settings?event=e1') };
}

const rowOf = (name: string) => {
  const row = screen.getByText(name).closest('li');
  if (row === null) throw new Error(`${name} is in no row`);
  return within(row);
};

beforeEach(signIn);

it('lists owner, members with role and photos, and invitations', async () => {
  renderTeam({
    members: [asha, ravi],
    invitations: [invitation('i1', 'late@studio.example', { expired: true, invited_by: null })],
  });
  expect(await screen.findByText('Mira Sen (you)')).toBeVisible();
  expect(rowOf('Mira Sen (you)').getByText('40 photos; pays for everybody’s photos')).toBeVisible();
  expect(rowOf('Ravi Menon').getByText('12 photos, since 10 Nov 2026')).toBeVisible();
  expect(rowOf('Ravi Menon').getByText('ravi@studio.example')).toBeVisible();
  expect(screen.getByLabelText('Role of Asha Rao')).toHaveValue('manager');
  const late = rowOf('late@studio.example');
  expect(late.getByText('Expired on 19 Nov 2026')).toBeVisible();
  expect(late.queryByText(/Invited by/)).toBeNull();
});

it('invites by mail with a role, and says what is wrong', async () => {
  const answers = [
    () => errorResponse(409, "This person is in the event's team already", 'already_in_team'),
    () => json(invitation('i1', 'new@studio.example', { role: 'manager' }), 201),
  ];
  const { server } = renderTeam(
    { members: [], invitations: [] },
    { 'POST /api/events/e1/invitations': () => (answers.shift() ?? (() => errorResponse(500)))() },
  );
  await user.click(await screen.findByRole('button', { name: 'Send invitation' }));
  expect(await screen.findByText('Email is required')).toBeVisible();
  expect(server.callsTo('POST /api/events/e1/invitations')).toHaveLength(0);

  await user.type(screen.getByLabelText('Email'), 'new@studio.example');
  await user.selectOptions(screen.getByLabelText('Role'), 'Manager');
  expect(screen.getByText(/^Does all that you do, except/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send invitation' }));
  expect(await screen.findByText("This person is in the event's team already")).toBeVisible();
  expect(screen.getByLabelText('Email')).toHaveValue('new@studio.example');

  await user.click(screen.getByRole('button', { name: 'Send invitation' }));
  expect(await screen.findByText('An invitation is on its way to new@studio.example.')).toBeVisible();
  expect(server.callsTo('POST /api/events/e1/invitations')[1]?.body).toEqual({
    email: 'new@studio.example',
    role: 'manager',
  });
  expect(screen.getByLabelText('Email')).toHaveValue('');
  expect(screen.getByLabelText('Email')).toHaveFocus();
  await waitFor(() => expect(server.callsTo('GET /api/events/e1/team').length).toBeGreaterThan(2));
});

it('sends an invitation again, and withdraws it', async () => {
  const team: Team = { members: [], invitations: [invitation('i1', 'new@studio.example')] };
  const { server } = renderTeam(team, {
    'POST /api/events/e1/invitations': () => json(invitation('i1', 'new@studio.example'), 201),
    'DELETE /api/events/e1/invitations/i1': () => {
      team.invitations = [];
      return new Response(null, { status: 204 });
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Send again new@studio.example' }));
  expect(await screen.findByText('An invitation is on its way to new@studio.example.')).toBeVisible();
  expect(server.callsTo('POST /api/events/e1/invitations')[0]?.body).toEqual({
    email: 'new@studio.example',
    role: 'contributor',
  });
  await user.click(screen.getByRole('button', { name: 'Withdraw new@studio.example' }));
  expect(await screen.findByText('The invitation of new@studio.example is withdrawn.')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('Invitations without an answer')).toBeNull());
});

it('changes a role, and removes a member after asking', async () => {
  const team: Team = { members: [ravi], invitations: [] };
  const { server } = renderTeam(team, {
    'PATCH /api/events/e1/members/ravi': () => json({ ...ravi, role: 'manager' }),
    'DELETE /api/events/e1/members/ravi': () => {
      team.members = [];
      return new Response(null, { status: 204 });
    },
  });
  await user.selectOptions(await screen.findByLabelText('Role of Ravi Menon'), 'Manager');
  expect(await screen.findByText('Ravi Menon is a manager now.')).toBeVisible();
  expect(server.callsTo('PATCH /api/events/e1/members/ravi')[0]?.body).toEqual({ role: 'manager' });

  await user.click(screen.getByRole('button', { name: 'Remove Ravi Menon' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Remove Ravi Menon?' }));
  expect(dialog.getByText(/Their 12 photos stay in the event\./)).toBeVisible();
  expect(server.callsTo('DELETE /api/events/e1/members/ravi')).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Remove from the team' }));
  expect(await screen.findByText('Ravi Menon is no longer in the team.')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('ravi@studio.example')).toBeNull());
});

it('gives a manager contributors alone, and the way out', async () => {
  const you = { ...asha, is_you: true };
  const { server } = renderTeam(
    {
      members: [you, member('kiran', 'Kiran Das', { role: 'manager' }), ravi],
      invitations: [invitation('i1', 'boss@studio.example', { role: 'manager' })],
    },
    { 'DELETE /api/events/e1/membership': () => new Response(null, { status: 204 }) },
    'manager',
  );
  expect(await screen.findByText('Asha Rao (you)')).toBeVisible();
  expect(screen.getByText(/are paid with the credits of Mira Sen\./)).toBeVisible();
  expect(screen.queryByLabelText(/^Role/)).toBeNull();
  expect(screen.getAllByRole('button', { name: /^Remove/ })).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Remove Ravi Menon' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /boss@studio/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Leave' }));
  await user.click(screen.getByRole('button', { name: 'Leave event' }));
  expect(await screen.findByText('arrived at /admin/events')).toBeVisible();
  expect(server.callsTo('DELETE /api/events/e1/membership')).toHaveLength(1);
});

it('is no screen of a contributor', async () => {
  renderTeam(
    { members: [], invitations: [] },
    { 'GET /api/events/e1/team': () => errorResponse(403) },
    'contributor',
  );
  expect(await screen.findByRole('heading', { name: 'For the owner and managers' })).toBeVisible();
  expect(screen.queryByLabelText('Email')).toBeNull();
});

it('says when the team could not be loaded, and asks again', async () => {
  const answers = [() => errorResponse(503)];
  renderTeam(
    { members: [], invitations: [] },
    {
      'GET /api/events/e1/team': () =>
        answers.shift()?.() ?? json({ owner: { name: 'Mira Sen', photos: 1 }, members: [], invitations: [] }),
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1 photo; pays for everybody’s photos')).toBeVisible();
});
