import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import AccountsPage from './AccountsPage';
import { anAccount, signInAsAdministrator } from './testing';

const path = '/admin/administration/accounts';
const call = 'GET /api/administration/accounts';

beforeEach(signInAsAdministrator);

describe('the accounts', () => {
  it('lists what each has, with its states, and leads to it', async () => {
    const unknown = anAccount({
      id: 'a2',
      name: '',
      email: 'ravi@studio.example',
      verified: false,
      bytes: 0,
    });
    const locked = anAccount({
      id: 'a3',
      name: 'Asha',
      administrator: true,
      premium: true,
      locked: { at: '2026-11-22T10:00:00Z', reason: 'Chargeback' },
    });
    mockServer({ [call]: () => json({ accounts: [anAccount(), unknown, locked], next_cursor: null }) });
    renderScreen(<AccountsPage />, path);
    const table = within(await screen.findByRole('table', { name: 'Accounts' }));
    const rows = table.getAllByRole('row').map((row) => within(row));
    expect(rows).toHaveLength(4);
    for (const header of ['Account', 'Credits', 'Events', 'Photos', 'Size', 'Registered', 'Last login']) {
      expect(table.getByRole('columnheader', { name: header })).toBeInTheDocument();
    }
    expect(rows[1]?.getByText('₹98')).toBeVisible();
    expect(rows[1]?.getByText('3.0 GB')).toBeVisible();
    expect(rows[1]?.getByText('1,200')).toBeVisible();
    expect(rows[1]?.getByTitle(/20 Nov 2026/)).toHaveAttribute('datetime', '2026-11-20T10:00:00Z');
    expect(rows[2]?.getByText('Not verified')).toBeVisible();
    for (const state of ['Locked', 'Administrator', 'Premium']) {
      expect(rows[3]?.getByText(state)).toBeVisible();
    }
    await userEvent.click(table.getByRole('link', { name: 'ravi@studio.example' }));
    expect(await screen.findByText(`arrived at ${path}/a2`)).toBeVisible();
  });

  it('finds by what is typed, which the address keeps', async () => {
    const server = mockServer({
      [call]: ({ query }) =>
        json({ accounts: query.get('query') === 'meera' ? [anAccount()] : [], next_cursor: null }),
    });
    const { router } = renderScreen(<AccountsPage />, path);
    expect(await screen.findByText('No account found')).toBeVisible();
    await userEvent.type(
      screen.getByRole('searchbox', { name: 'Find accounts by name or address' }),
      ' meera ',
    );
    expect(await screen.findByText('1 account')).toBeVisible();
    expect(router.state.location.search).toBe('?query=meera');
    expect(server.callsTo(call).map(({ query }) => query.get('query'))).toEqual([null, 'meera']);
    await userEvent.clear(screen.getByRole('searchbox'));
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('starts with what the address asks for, and looks further where a page is empty', async () => {
    const server = mockServer({
      [call]: ({ query }) =>
        json(
          query.get('cursor') === null
            ? { accounts: [], next_cursor: 'far' }
            : { accounts: [anAccount()], next_cursor: null },
        ),
    });
    renderScreen(<AccountsPage />, `${path}?query=meera`);
    expect(await screen.findByText('None of the accounts looked at so far is called that.')).toBeVisible();
    expect(screen.getByRole('searchbox')).toHaveValue('meera');
    await userEvent.click(screen.getByRole('button', { name: 'Look further' }));
    expect(await screen.findByRole('link', { name: 'Meera Krishnan' })).toBeVisible();
    expect(server.callsTo(call)[1]?.query.get('cursor')).toBe('far');
    // The button is gone: the focus is on what it has brought.
    expect(screen.getAllByRole('row')[1]).toHaveFocus();
  });

  it('says what the server says, and asks again', async () => {
    const answers = [
      () => errorResponse(403, 'Only administrators can do this.', 'administrators_only'),
      () => json({ accounts: [anAccount()], next_cursor: null }),
    ];
    mockServer({ [call]: () => (answers.shift() ?? (() => errorResponse(500)))() });
    renderScreen(<AccountsPage />, path);
    expect(await screen.findByText('Only administrators can do this.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('table')).toBeVisible();
  });
});
