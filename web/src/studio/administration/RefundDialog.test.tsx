import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import RefundsPage from './RefundsPage';
import { aDueRefund, signInAsAdministrator } from './testing';

const refunded = (status: string) =>
  json({ payment_id: 'pay_1', status, amount: 999, credits_taken: 0, credits_missing: 0 });

/** Shows one payment to refund, which is gone once it is refunded. */
async function renderRefund(answers: (() => Response)[]) {
  let due = [aDueRefund()];
  const server = mockServer({
    'GET /api/administration/payments': () => json({ refunds_due: due, failed_orders: [] }),
    'POST /api/administration/payments/pay_1/refund': () => {
      const answer = (answers.shift() ?? (() => errorResponse(500)))();
      if (answer.ok) due = [];
      return answer;
    },
  });
  renderScreen(<RefundsPage />, '/admin/administration/refunds');
  await userEvent.click(await screen.findByRole('button', { name: 'Refund payment pay_1' }));
  return server;
}

const dialog = () => within(screen.getByRole('dialog', { name: 'Refund ₹999?' }));

beforeEach(signInAsAdministrator);

describe('a refund', () => {
  it('goes out after a question that names amount and account [ADMIN034]', async () => {
    const server = await renderRefund([() => errorResponse(503), () => refunded('processed')]);
    expect(dialog().getByText(/meera@studio\.example .* This cannot be undone\./)).toBeVisible();
    expect(dialog().getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.click(dialog().getByRole('button', { name: 'Refund ₹999' }));
    expect(await dialog().findByText('This could not be done. Please try again.')).toBeVisible();
    await userEvent.click(dialog().getByRole('button', { name: 'Refund ₹999' }));
    expect(await screen.findByText('₹999 is refunded.')).toBeVisible();
    expect(await screen.findByText('Nothing to refund')).toBeVisible();
    expect(server.callsTo('POST /api/administration/payments/pay_1/refund')).toHaveLength(2);
  });

  it.each([
    ['pending', 'The refund of ₹999 is under way. It can take some days.'],
    ['requested', 'The refund of ₹999 is under way. It can take some days.'],
    ['failed', 'The payment provider could not refund ₹999.'],
  ])('that is %s says so [ADMIN034]', async (status, text) => {
    await renderRefund([() => refunded(status)]);
    await userEvent.click(dialog().getByRole('button', { name: 'Refund ₹999' }));
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('is not asked for when the question is cancelled [ADMIN034]', async () => {
    const server = await renderRefund([]);
    await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsTo('POST /api/administration/payments/pay_1/refund')).toHaveLength(0);
  });
});
