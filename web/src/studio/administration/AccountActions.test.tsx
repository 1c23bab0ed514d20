import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import AccountPage from './AccountPage';
import { anAccount, signInAsAdministrator } from './testing';
import type { Account } from './types';

const path = '/admin/administration/accounts';
const url = '/api/administration/accounts/a1';

type Handlers = Parameters<typeof mockServer>[0];

/** Shows the account, with these answers to what is done with it. */
async function renderAccount(account: Account, handlers: Handlers = {}) {
  const server = mockServer({ [`GET ${url}`]: () => json(account), ...handlers });
  renderScreen(<AccountPage />, `${path}/a1`, undefined, `${path}/:id`);
  await screen.findByRole('region', { name: 'At a glance' });
  return server;
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const dialog = () => within(screen.getByRole('dialog'));
const confirm = (name: string) => userEvent.click(dialog().getByRole('button', { name }));
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

beforeEach(signInAsAdministrator);

describe('what an administrator does with an account', () => {
  it('verifies the address after a question', async () => {
    const server = await renderAccount(anAccount({ verified: false }), {
      [`POST ${url}/verify`]: () => json(anAccount()),
    });
    await press('Verify address');
    expect(dialog().getByText(/this cannot be undone/)).toBeVisible();
    await confirm('Cancel');
    await noDialog();
    expect(server.callsTo(`POST ${url}/verify`)).toHaveLength(0);
    await press('Verify address');
    await confirm('Verify address');
    expect(await screen.findByText('meera@studio.example is verified.')).toBeVisible();
    await noDialog();
    expect(screen.getByText('Verified.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Verify address' })).toBeNull();
  });

  it('locks with a reason, and unlocks', async () => {
    const locked = { at: '2026-11-22T10:00:00Z', reason: 'Chargeback of May' };
    const server = await renderAccount(anAccount(), {
      [`POST ${url}/lock`]: () => json(anAccount({ locked })),
      [`POST ${url}/unlock`]: () => json(anAccount()),
    });
    await press('Lock account');
    await confirm('Lock account');
    expect(dialog().getByText('Please give a reason')).toBeVisible();
    expect(server.callsTo(`POST ${url}/lock`)).toHaveLength(0);
    await userEvent.type(dialog().getByLabelText('Reason'), ' Chargeback of May {Enter}');
    expect(await screen.findByText('meera@studio.example is locked.')).toBeVisible();
    expect(server.callsTo(`POST ${url}/lock`)[0]?.body).toEqual({ reason: 'Chargeback of May' });
    await noDialog();
    expect(screen.getByText(/Chargeback of May/)).toBeVisible();
    await press('Unlock account');
    expect(await screen.findByText('meera@studio.example is unlocked.')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Lock account' })).toBeVisible();
  });

  it('says why an account cannot be locked', async () => {
    const text = 'This is the last administrator. Make somebody else one first.';
    await renderAccount(anAccount(), {
      [`POST ${url}/lock`]: () => errorResponse(409, text, 'last_administrator'),
    });
    await press('Lock account');
    await userEvent.type(dialog().getByLabelText('Reason'), 'No more{Enter}');
    expect(await dialog().findByText(text)).toBeVisible();
    expect(dialog().getByLabelText('Reason')).toHaveValue('No more');
  });

  it('offers no lock for the own account', async () => {
    await renderAccount(anAccount({ email: 'asha@studio.example' }));
    expect(screen.getByText('This is your own account, which you cannot lock.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Lock account' })).toBeNull();
  });
});

describe('credits that an administrator changes', () => {
  const credits = `POST ${url}/credits`;
  const fill = async (amount: string, reason: string) => {
    await userEvent.clear(dialog().getByLabelText('Amount in rupees'));
    await userEvent.type(dialog().getByLabelText('Amount in rupees'), amount);
    await userEvent.clear(dialog().getByLabelText('Reason'));
    await userEvent.type(dialog().getByLabelText('Reason'), reason);
  };

  it('are given with a reason, and the new balance is said before and after [ADMIN032]', async () => {
    const server = await renderAccount(anAccount(), {
      [credits]: () => json({ account: anAccount({ credits: 118.5 }), repeated: false }),
    });
    await press('Change credits');
    await fill('20.50', 'For the outage');
    expect(dialog().getByText('The balance will be ₹118.50.')).toBeVisible();
    await confirm('Give credits');
    expect(await screen.findByText('₹20.50 given. The balance is ₹118.50.')).toBeVisible();
    expect(server.callsTo(credits)[0]?.body).toEqual({
      key: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ) as string,
      rupees: 20.5,
      reason: 'For the outage',
    });
    await noDialog();
    expect(within(screen.getByRole('region', { name: 'At a glance' })).getByText('₹118.50')).toBeVisible();
  });

  it('are taken, but not more than there are [ADMIN032]', async () => {
    const server = await renderAccount(anAccount(), {
      [credits]: () => json({ account: anAccount({ credits: 0 }), repeated: false }),
    });
    await press('Change credits');
    await userEvent.click(dialog().getByRole('button', { name: 'Take' }));
    await fill('98.01', 'Chargeback');
    expect(dialog().getByText('The account has fewer credits than that')).toBeVisible();
    await confirm('Take credits');
    expect(server.callsTo(credits)).toHaveLength(0);
    await fill('98', 'Chargeback');
    await confirm('Take credits');
    expect(await screen.findByText('₹98 taken. The balance is ₹0.')).toBeVisible();
    expect(server.callsTo(credits)[0]?.body).toMatchObject({ rupees: -98 });
  });

  it.each(['', '0', '-5', '1.234', 'ten'])('are not changed by %j [ADMIN032]', async (amount) => {
    const server = await renderAccount(anAccount());
    await press('Change credits');
    if (amount !== '') await userEvent.type(dialog().getByLabelText('Amount in rupees'), amount);
    await confirm('Give credits');
    expect(dialog().getByText('Please enter a valid amount')).toBeVisible();
    expect(dialog().getByText('Please give a reason')).toBeVisible();
    expect(server.callsTo(credits)).toHaveLength(0);
  });

  it('are changed once, however often it is tried [ADMIN037]', async () => {
    const answers = [
      () => errorResponse(503),
      () => errorResponse(409, 'This key was used for another change of credits', 'credits_key_used'),
      () => json({ account: anAccount({ credits: 148 }), repeated: false }),
    ];
    const server = await renderAccount(anAccount(), {
      [credits]: () => (answers.shift() ?? (() => errorResponse(500)))(),
    });
    await press('Change credits');
    await fill('20', 'For the outage');
    await confirm('Give credits');
    expect(await dialog().findByText('This could not be done. Please try again.')).toBeVisible();
    // With another amount the key stays, so that the server can say that the first was carried out.
    await fill('30', 'For the outage');
    await confirm('Give credits');
    expect(await dialog().findByText(/^The change before was made after all\./)).toBeVisible();
    await waitFor(() => expect(server.callsTo(`GET ${url}`)).toHaveLength(2));
    await confirm('Give credits');
    expect(await screen.findByText('₹30 given. The balance is ₹148.')).toBeVisible();
    const keys = server.callsTo(credits).map(({ body }) => (body as { key: string }).key);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});
