import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { passUntil } from '../../testing/passUntil';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { AddCreditsPanel } from './AddCreditsPanel';
import { UpgradeToPremium } from './UpgradeToPremium';

const madeText = 'Your payment is made. It is credited as soon as it is confirmed: please do not pay again.';

const mockPayments = (verify: () => Response | Promise<Response>) =>
  mockServer({
    'GET /api/subscription/credits': () =>
      json({ credits: 5, total_credits_earned: 100, total_credits_spent: 95, is_first_recharge: true }),
    'POST /api/payments/create-order': () =>
      json({ key_id: 'sandbox', amount: 1999, currency: 'INR', order_id: 'order_1', is_paid: false }),
    'POST /api/payments/sandbox': () =>
      json({ razorpay_payment_id: 'pay_1', razorpay_order_id: 'order_1', razorpay_signature: 'abc' }),
    'POST /api/payments/verify-payment': verify,
  });

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

beforeEach(() => {
  signIn();
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

test.each([
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['500', () => errorResponse(500)],
  ['429', () => errorResponse(429, 'Too many requests')],
  ['503', () => errorResponse(503, 'The payment provider cannot be reached. Please try again.')],
])('[PAY238] a payment whose confirmation cannot be fetched (%s) is not called failed', async (_, verify) => {
  const server = mockPayments(verify);
  renderScreen(<AddCreditsPanel />);
  await press('Pay ₹500');
  const looks = () => server.callsTo('GET /api/subscription/credits').length;
  await press('Pay ₹19.99');
  await screen.findByText('Payment made. Waiting for its confirmation…');
  const before = looks();
  await passUntil(() => screen.queryByRole('alert') !== null);
  expect(screen.getByText(madeText)).toBeVisible();
  expect(server.callsTo('POST /api/payments/verify-payment')).toHaveLength(15);
  await passUntil(() => looks() > before);
});

test('[PAY238] the purchase of the premium plan says so too', async () => {
  mockPayments(() => errorResponse(502));
  renderScreen(<UpgradeToPremium />);
  await press('Upgrade to Premium');
  await press('Pay ₹999');
  await press('Pay ₹19.99');
  await screen.findByText('Payment made. Waiting for its confirmation…');
  await passUntil(() => screen.queryByText(madeText) !== null);
  expect(screen.queryByText(/Premium is yours/)).toBeNull();
});

test('[PAY238] a refusal after lost answers is said as it is', async () => {
  const looks = [errorResponse(503), errorResponse(429)];
  const server = mockPayments(() => looks.shift() ?? errorResponse(400));
  renderScreen(<AddCreditsPanel />);
  await press('Pay ₹500');
  await press('Pay ₹19.99');
  await passUntil(() => screen.queryByText('Payment verification failed') !== null);
  expect(server.callsTo('POST /api/payments/verify-payment')).toHaveLength(3);
});
