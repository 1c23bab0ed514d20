import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { ApiTokensCard } from './ApiTokensCard';

const token = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  scope: 'upload',
  created_at: '2026-11-01T09:00:00Z',
  expires_at: null,
  last_used_at: null,
  ...more,
});
const lightroom = token('t1', 'Lightroom', { last_used_at: '2026-11-20T09:05:00Z' });
const everything = token('t2', 'Home server', { scope: 'all', expires_at: '2020-01-02T00:00:00Z' });
const text = `afterglow_${'x'.repeat(43)}`;

beforeEach(signIn);
afterEach(() => vi.unstubAllGlobals());

describe('the API tokens of an account', () => {
  it('lists them and revokes one after asking', async () => {
    let listed = [lightroom, everything];
    const server = mockServer({
      'GET /api/auth/tokens': () => json({ api_tokens: listed }),
      'DELETE /api/auth/tokens/t1': () => {
        listed = [everything];
        return json({ success: true });
      },
    });
    renderScreen(<ApiTokensCard />, '/admin/account');
    expect(await screen.findByText('Lightroom')).toBeVisible();
    const rows = screen.getAllByRole('listitem').map((row) => within(row));
    expect(rows[0]?.getByText('Uploads only')).toBeVisible();
    expect(rows[0]?.getByText(/^Last used .*20/)).toBeVisible();
    expect(rows[0]?.getByText('Does not expire')).toBeVisible();
    expect(rows[1]?.getByText('Everything')).toBeVisible();
    expect(rows[1]?.getByText('Never used')).toBeVisible();
    expect(rows[1]?.getByText(/^Expired on .*2020/)).toBeVisible();

    await userEvent.click(screen.getByRole('button', { name: 'Revoke Lightroom' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Revoke Lightroom?' }));
    expect(server.callsTo('DELETE /api/auth/tokens/t1')).toHaveLength(0);
    await userEvent.click(dialog.getByRole('button', { name: 'Revoke token' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  });

  it('makes one and shows it once, to be copied', async () => {
    const server = mockServer({
      'GET /api/auth/tokens': () => json({ api_tokens: [] }),
      'POST /api/auth/tokens': () => json({ ...lightroom, token: text }, 201),
    });
    const user = userEvent.setup();
    renderScreen(<ApiTokensCard />, '/admin/account');
    await user.click(await screen.findByRole('button', { name: 'New token' }));
    await user.click(screen.getByRole('button', { name: 'Create token' }));
    expect(screen.getByText('Please give the token a name')).toBeVisible();
    expect(server.callsTo('POST /api/auth/tokens')).toHaveLength(0);
    await user.type(screen.getByLabelText('Token name'), 'Lightroom');
    expect(screen.getByRole('option', { name: '365 days', selected: true })).toBeInTheDocument();
    await user.selectOptions(screen.getByLabelText('Good for'), '30 days');
    await user.type(screen.getByLabelText('Current Password'), 'correct horse');
    await user.click(screen.getByRole('button', { name: 'Create token' }));
    expect(await screen.findByText(text)).toBeVisible();
    expect(server.callsTo('POST /api/auth/tokens')[0]?.body).toEqual({
      name: 'Lightroom',
      scope: 'upload',
      lifetime_days: 30,
      password: 'correct horse',
    });
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(text);
    expect(await screen.findByText('Token copied to clipboard!')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    await waitFor(() => expect(server.callsTo('GET /api/auth/tokens').length).toBeGreaterThan(1));
  });

  it('says why one could not be made, and that the list could not be loaded', async () => {
    const server = mockServer({
      'GET /api/auth/tokens': () => errorResponse(500),
      'POST /api/auth/tokens': () => errorResponse(400, 'Invalid current password'),
    });
    renderScreen(<ApiTokensCard />, '/admin/account');
    expect(await screen.findByText('The API tokens could not be loaded.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'New token' }));
    await userEvent.type(screen.getByLabelText('Token name'), 'Lightroom');
    await userEvent.selectOptions(screen.getByLabelText('What it may do'), 'Everything');
    await userEvent.selectOptions(screen.getByLabelText('Good for'), 'Until it is revoked');
    await userEvent.type(screen.getByLabelText('Current Password'), 'wrong horse');
    await userEvent.click(screen.getByRole('button', { name: 'Create token' }));
    expect(await screen.findByText('Invalid current password')).toBeVisible();
    expect(server.callsTo('POST /api/auth/tokens')[0]?.body).toMatchObject({ lifetime_days: null });
  });
});
