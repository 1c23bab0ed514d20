import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { SessionsCard } from './SessionsCard';

const at = '2026-11-20T09:05:00Z';
const session = (id: string, browser: string | null, system: string | null, current = false) => ({
  id,
  browser,
  system,
  created_at: at,
  last_used_at: at,
  second_factor_at: null as string | null,
  current,
});
const here = { ...session('here', 'Firefox', 'Linux', true), second_factor_at: at };
const phone = session('phone', 'Safari', 'iPhone');
const unknown = session('unknown', null, null);

beforeEach(signIn);

describe('the sessions of an account', () => {
  it('lists them and ends each [AUTH129] [AUTH115]', async () => {
    let listed = [here, phone, unknown];
    const server = mockServer({
      'GET /api/auth/sessions': () => json({ sessions: listed }),
      'DELETE /api/auth/sessions/phone': () => {
        listed = [here, unknown];
        return json({ success: true });
      },
      'DELETE /api/auth/sessions': () => {
        listed = [here];
        return json({ success: true });
      },
    });
    renderScreen(<SessionsCard />, '/admin/account');
    expect(await screen.findByText('Firefox on Linux')).toBeVisible();
    const rows = screen.getAllByRole('listitem').map((row) => within(row));
    expect(rows).toHaveLength(3);
    expect(rows[0]?.getByText('This device')).toBeVisible();
    expect(rows[0]?.queryByRole('button')).toBeNull();
    expect(rows[0]?.getByText(/^Second step of the login .*20/)).toBeVisible();
    expect(rows[1]?.queryByText(/^Second step of the login/)).toBeNull();
    expect(rows[1]?.getByText(/^Last used .*20/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'End Unknown device' })).toBeVisible();

    await userEvent.click(screen.getByRole('button', { name: 'End Safari on iPhone' }));
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2));
    await userEvent.click(screen.getByRole('button', { name: 'End all others' }));
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
    expect(screen.queryByRole('button')).toBeNull();
    expect(server.callsTo('DELETE /api/auth/sessions')).toHaveLength(1);
  });

  it('says what could not be loaded or ended, and reads the list again', async () => {
    const server = mockServer({
      'GET /api/auth/sessions': () => json({ sessions: [here, phone] }),
      'DELETE /api/auth/sessions/phone': () => errorResponse(404, 'This session has ended already'),
    });
    renderScreen(<SessionsCard />, '/admin/account');
    await userEvent.click(await screen.findByRole('button', { name: 'End Safari on iPhone' }));
    expect(await screen.findByText('This session has ended already')).toBeVisible();
    expect(server.callsTo('GET /api/auth/sessions').length).toBeGreaterThan(1);
  });

  it('says that the list could not be loaded', async () => {
    mockServer({ 'GET /api/auth/sessions': () => errorResponse(500) });
    renderScreen(<SessionsCard />, '/admin/account');
    expect(await screen.findByText('The sessions could not be loaded.')).toBeVisible();
  });
});
