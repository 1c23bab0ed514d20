import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import RefundsPage from './RefundsPage';
import { aDueRefund, signInAsAdministrator } from './testing';

const path = '/admin/administration/refunds';
const call = 'GET /api/administration/payments';

beforeEach(signInAsAdministrator);
afterEach(() => vi.restoreAllMocks());

describe('the refunds', () => {
  it('lists payments that bought nothing, and orders that failed', async () => {
    const order = {
      order_id: 'o1',
      provider: 'razorpay',
      provider_order_id: null,
      amount: 500.5,
      reason: null,
      account: { id: 'a1', email: 'meera@studio.example', name: 'Meera' },
      failed_at: '2026-11-20T10:00:00Z',
    };
    mockServer({
      [call]: () =>
        json({
          refunds_due: [
            aDueRefund(),
            aDueRefund({ payment_id: 'pay_2', account: null, provider: 'sandbox' }),
          ],
          failed_orders: [order],
        }),
    });
    renderScreen(<RefundsPage />, path);
    const due = within(await screen.findByRole('table', { name: 'To refund' }));
    const rows = due.getAllByRole('row').map((row) => within(row));
    expect(rows[1]?.getByText('pay_1')).toBeVisible();
    expect(rows[1]?.getByText('₹999')).toBeVisible();
    expect(rows[1]?.getByText('the account had the premium plan')).toBeVisible();
    expect(rows[1]?.getByRole('link', { name: 'meera@studio.example' })).toHaveAttribute(
      'href',
      '/admin/administration/accounts/a1',
    );
    expect(rows[2]?.getByText('Closed account')).toBeVisible();
    expect(rows[2]?.getByText('Test mode')).toBeVisible();
    const orders = within(screen.getByRole('table', { name: 'Failed orders' }));
    expect(orders.getByText('o1')).toBeVisible();
    expect(orders.getByText('₹500.50')).toBeVisible();
  });

  it('says that there is nothing to refund, or that it could not be loaded', async () => {
    const answers = [() => errorResponse(500), () => json({ refunds_due: [], failed_orders: [] })];
    mockServer({ [call]: () => (answers.shift() ?? (() => errorResponse(500)))() });
    renderScreen(<RefundsPage />, path);
    expect(await screen.findByText('The payments could not be loaded. Please try again.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Nothing to refund')).toBeVisible();
    expect(screen.getByText('None.')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Invoices' })).toBeNull();
  });

  it('has the register of a month where there are invoices [PAY231]', async () => {
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: () => 'blob:csv', revokeObjectURL: () => undefined }),
    );
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const answers = [() => errorResponse(500), () => new Response('number,date')];
    const server = mockServer({
      [call]: () => json({ refunds_due: [], failed_orders: [], makes_invoices: true }),
      'GET /api/administration/invoices': () => (answers.shift() ?? (() => errorResponse(500)))(),
    });
    renderScreen(<RefundsPage />, path);
    const panel = within(await screen.findByRole('region', { name: 'Invoices' }));
    fireEvent.change(panel.getByLabelText('Month'), { target: { value: '2026-11' } });
    await userEvent.click(panel.getByRole('button', { name: 'Download register' }));
    expect(await screen.findByText('The register could not be downloaded. Please try again.')).toBeVisible();
    await userEvent.click(panel.getByRole('button', { name: 'Download register' }));
    await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
    expect(clicked.mock.contexts[0]).toMatchObject({ download: 'invoices-2026-11.csv' });
    expect(server.callsTo('GET /api/administration/invoices')[0]?.query.get('month')).toBe('2026-11');
  });
});
