import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { passUntil } from '../../testing/passUntil';
import { renderScreen, signIn } from '../../testing/render';
import { storedUser } from '../../platform/storage/storage';
import { errorResponse, json, mockServer } from '../../testing/server';
import { AddCreditsPanel } from './AddCreditsPanel';
import { isPartialAmount, parseRupees } from './amounts';
import { toPaise } from './payments';
import { UpgradeToPremium } from './UpgradeToPremium';

const order = {
  key_id: 'sandbox',
  amount: 1999,
  currency: 'INR',
  order_id: 'order_sandbox_1',
  is_paid: false,
};
const proof = {
  razorpay_payment_id: 'pay_1',
  razorpay_order_id: 'order_sandbox_1',
  razorpay_signature: 'abc',
};
const paid = { success: true, credits_added: 19.99, credits_received: 39.98, was_first_recharge: true };

function mockPayments(overrides: Parameters<typeof mockServer>[0] = {}) {
  return mockServer({
    'GET /api/subscription/credits': () =>
      json({ credits: 5, total_credits_earned: 100, total_credits_spent: 95, is_first_recharge: true }),
    'POST /api/payments/create-order': () => json(order),
    'POST /api/payments/sandbox': () => json(proof),
    'POST /api/payments/verify-payment': () => json(paid),
    ...overrides,
  });
}

const amount = () => screen.getByLabelText('Amount in rupees');
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));

beforeEach(signIn);

describe('amounts', () => {
  it('are digits with at most two decimals [PAY007]', () => {
    for (const text of ['', '5', '12.', '19.99', '.5']) expect(isPartialAmount(text)).toBe(true);
    for (const text of ['19.999', '-1', '1e3', 'abc', '1,000', ' 1'])
      expect(isPartialAmount(text)).toBe(false);
    expect(parseRupees('0.00')).toBeNull();
    expect(parseRupees('.')).toBeNull();
    expect(parseRupees('19.99')).toBe(19.99);
  });

  it('become whole paise [PAY011] [CONST001]', () => {
    expect(toPaise(19.99)).toBe(1999);
    expect(toPaise(1.1)).toBe(110);
    expect(toPaise(0.29)).toBe(29);
  });
});

describe('Add Credits', () => {
  it('disables Pay for an empty or zero amount, and shows an error on Enter [PAY008] [PAY009] [PAY010] [PAY030]', async () => {
    const server = mockPayments();
    renderScreen(<AddCreditsPanel />);
    expect(screen.getByRole('button', { name: 'Pay ₹500' })).toBeEnabled();
    for (const text of ['', '0']) {
      fireEvent.change(amount(), { target: { value: text } });
      expect(screen.getByRole('button', { name: 'Pay' })).toBeDisabled();
    }
    fireEvent.change(amount(), { target: { value: '12.345' } });
    expect(amount()).toHaveValue('0');
    fireEvent.submit(amount());
    expect(await screen.findByText('Please enter a valid amount')).toBeVisible();
    expect(server.callsTo('POST /api/payments/create-order')).toHaveLength(0);
  });

  it('orders, pays in test mode, verifies and refreshes the credits [PAY012] [PAY017] [PAY060] [PAY062] [PAY063] [API059] [API061]', async () => {
    const server = mockPayments();
    renderScreen(<AddCreditsPanel />);
    expect(await screen.findByText('First recharge counts double: 1,000 credits')).toBeVisible();
    fireEvent.change(amount(), { target: { value: '19.99' } });
    await press('Pay ₹19.99');
    expect(await screen.findByText('Test mode')).toBeVisible();
    expect(server.callsTo('POST /api/payments/create-order')[0]?.body).toEqual({
      amount: 1999,
      purpose: 'credits',
    });
    const buttons = await screen.findAllByRole('button', { name: 'Pay ₹19.99' });
    fireEvent.click(buttons.at(-1) as HTMLElement);
    expect(await screen.findByText('39.98 credits added.')).toBeVisible();
    expect(server.callsTo('POST /api/payments/verify-payment')[0]?.body).toEqual(proof);
    expect(server.callsTo('GET /api/subscription/credits').length).toBeGreaterThan(1);
  });

  it.each([
    ['Cancel', 'Payment was cancelled'],
    ['Fail', 'Payment failed. Please try again.'],
  ])('%s adds nothing and shows %s [PAY015] [PAY016] [PAY062]', async (button, text) => {
    const server = mockPayments();
    renderScreen(<AddCreditsPanel />);
    await press('Pay ₹500');
    await press(button);
    expect(await screen.findByText(text)).toBeVisible();
    expect(server.callsTo('POST /api/payments/verify-payment')).toHaveLength(0);
  });

  it('shows errors when the order or the verification failed [PAY013] [PAY014] (X05)', async () => {
    const orders = [errorResponse(500), errorResponse(400, 'The amount is too small'), json(order)];
    mockPayments({
      'POST /api/payments/create-order': () => orders.shift() ?? errorResponse(500),
      'POST /api/payments/verify-payment': () => json({ ...paid, success: false }),
    });
    renderScreen(<AddCreditsPanel />);
    await press('Pay ₹500');
    expect(await screen.findByText('Failed to create order')).toBeVisible();
    await press('Pay ₹500');
    expect(await screen.findByText('The amount is too small')).toBeVisible();
    await press('Pay ₹500');
    fireEvent.click(await screen.findByRole('button', { name: 'Pay ₹19.99' }));
    expect(await screen.findByText('Payment verification failed')).toBeVisible();
  });

  it('repeats the verification while the payment is pending or the network is lost', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const pending = 'The payment is not confirmed yet. It is credited as soon as it is.';
    const looks = [
      () => errorResponse(409, pending, 'payment_pending'),
      () => Promise.reject(new TypeError('Failed to fetch')),
      () =>
        errorResponse(
          503,
          'The payment provider cannot be reached. Please try again.',
          'payment_unavailable',
        ),
    ];
    const server = mockPayments({
      'POST /api/payments/verify-payment': () => looks.shift()?.() ?? json(paid),
    });
    renderScreen(<AddCreditsPanel />);
    await press('Pay ₹500');
    fireEvent.click(await screen.findByRole('button', { name: 'Pay ₹19.99' }));
    expect(await screen.findByText('Payment made. Waiting for its confirmation…')).toBeVisible();
    expect(await screen.findByRole('button', { name: /Pay ₹500/ })).toBeDisabled();
    await act(() => vi.advanceTimersByTimeAsync(6000));
    expect(await screen.findByText('39.98 credits added.')).toBeVisible();
    expect(screen.queryByText(/Waiting for its confirmation/)).toBeNull();
    expect(server.callsTo('POST /api/payments/verify-payment')).toHaveLength(4);
  });

  it('shows an error when the confirmation times out', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const pending = 'The payment is not confirmed yet. It is credited as soon as it is.';
    const server = mockPayments({
      'POST /api/payments/verify-payment': () => errorResponse(409, pending, 'payment_pending'),
    });
    renderScreen(<AddCreditsPanel />);
    await press('Pay ₹500');
    fireEvent.click(await screen.findByRole('button', { name: 'Pay ₹19.99' }));
    await screen.findByText('Payment made. Waiting for its confirmation…');
    await passUntil(() => screen.queryByText(pending) !== null);
    expect(server.callsTo('POST /api/payments/verify-payment')).toHaveLength(15);
  });
});

it('offers a premium account no doubled recharge [PAY098]', async () => {
  storedUser.write({ name: 'M', email: 'm@example.com', is_photographer: true, premium: true });
  mockPayments({});
  renderScreen(<AddCreditsPanel />);
  expect(await screen.findByText(/Uploads are free with Premium/)).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/First recharge counts double/)).toBeNull());
});

describe('the premium dialog', () => {
  async function openDialog(overrides: Parameters<typeof mockServer>[0] = {}) {
    const server = mockPayments(overrides);
    renderScreen(<UpgradeToPremium />);
    await press('Upgrade to Premium');
    await screen.findByRole('dialog', { name: 'Premium plan' });
    return server;
  }
  const coupon = (answer: () => Response) => ({ 'POST /api/validate-coupon': answer });
  const type = (code: string) =>
    fireEvent.change(screen.getByLabelText('Coupon code'), { target: { value: code } });

  it('costs 999 rupees for unlimited events and photo uploads [PAY019] [PAY020] [PAY024] [CONST005]', async () => {
    await openDialog();
    expect(screen.getByRole('button', { name: 'Pay ₹999' })).toBeEnabled();
    expect(screen.getByText('Unlimited events and photo uploads')).toBeVisible();
    expect(screen.getByText(/^Paid once\. No subscription/)).toBeVisible();
  });

  it('subtracts a coupon from the price and sends it with the order [PAY021] [PAY022] [PAY029] [API057]', async () => {
    const server = await openDialog(coupon(() => json({ valid: true, discountAmount: 200, message: null })));
    type(' GLOW20 ');
    await press('Apply');
    expect(await screen.findByText('−₹200')).toBeVisible();
    expect(server.callsTo('POST /api/validate-coupon')[0]?.body).toEqual({
      couponCode: 'GLOW20',
      amount: 999,
    });
    await press('Pay ₹799');
    await screen.findByText('Test mode');
    expect(server.callsTo('POST /api/payments/create-order')[0]?.body).toEqual({
      amount: 79_900,
      purpose: 'premium_plan',
      coupon_code: 'GLOW20',
    });
  });

  it('upgrades without a checkout when a coupon leaves nothing to pay [PAY105]', async () => {
    const server = await openDialog({
      ...coupon(() => json({ valid: true, discountAmount: 999, message: null })),
      'POST /api/payments/create-order': () => json({ ...order, amount: 0, is_paid: true }),
    });
    type('ALL');
    await press('Apply');
    await screen.findByRole('button', { name: 'Upgrade' });
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
    await press('Upgrade');
    expect(await screen.findByText('Premium is yours: uploads are free from now on.')).toBeVisible();
    expect(server.callsTo('POST /api/payments/create-order')[0]?.body).toEqual({
      amount: 0,
      purpose: 'premium_plan',
      coupon_code: 'ALL',
    });
    expect(server.callsTo('POST /api/payments/verify-payment')).toHaveLength(0);
    expect(screen.queryByText('Test mode')).toBeNull();
  });

  it.each([999, 1200])(
    'has no Pay to press when %i of 999 rupees are taken off [PAY023] (X30)',
    async (discountAmount) => {
      const server = await openDialog(coupon(() => json({ valid: true, discountAmount, message: null })));
      expect(screen.getByRole('button', { name: 'Pay ₹999' })).toBeEnabled();
      type('ALL');
      await press('Apply');
      expect(await screen.findByText('₹0')).toBeVisible();
      const enabled = screen.getAllByRole('button').filter((button) => !button.hasAttribute('disabled'));
      expect(enabled.map((button) => button.textContent)).toEqual(['Apply', 'Cancel', 'Upgrade']);
      expect(server.callsTo('POST /api/payments/create-order')).toHaveLength(0);
    },
  );

  it('shows why the upgrade was refused, and offers it again [PAY105]', async () => {
    await openDialog({
      ...coupon(() => json({ valid: true, discountAmount: 999, message: null })),
      'POST /api/payments/create-order': () => errorResponse(400, 'This coupon has been used up'),
    });
    type('ALL');
    await press('Apply');
    await press('Upgrade');
    expect(await screen.findByText('This coupon has been used up')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Upgrade' })).toBeEnabled();
  });

  it('shows why a coupon is invalid [PAY026] [PAY027] [PAY028]', async () => {
    const said = [
      () => json({ valid: false, discountAmount: 0, message: 'This coupon has expired' }),
      () => json({ valid: false, discountAmount: 0, message: null }),
      () => {
        throw new TypeError('offline');
      },
    ];
    const server = await openDialog(coupon(() => (said.shift() ?? (() => errorResponse(500)))()));
    await press('Apply');
    expect(await screen.findByText('Please enter a coupon code')).toBeVisible();
    expect(server.callsTo('POST /api/validate-coupon')).toHaveLength(0);
    type('GLOW20');
    for (const text of [
      'This coupon has expired',
      'Invalid coupon code',
      'Error applying coupon. Please try again.',
    ]) {
      await press('Apply');
      expect(await screen.findByText(text)).toBeVisible();
    }
  });
});

describe('the provider’s checkout', () => {
  interface Options {
    key: string;
    amount: number;
    currency: string;
    order_id: string;
    handler: (answer: typeof proof) => void;
    modal: { ondismiss: () => void };
  }
  type Listener = (failure: { error: { description?: string } }) => void;

  /** Defines the provider's script as loaded; `run` is what the person does in its window. */
  function mockRazorpay(run: (options: Options, fail: Listener) => void) {
    const opened: Options[] = [];
    vi.stubGlobal(
      'Razorpay',
      class {
        readonly options: Options;
        listener: Listener = () => undefined;
        constructor(options: Options) {
          this.options = options;
          opened.push(options);
        }
        on = (_: string, listener: Listener) => void (this.listener = listener);
        open = () => run(this.options, this.listener);
      },
    );
    return opened;
  }
  const providerOrder = { ...order, provider: 'razorpay', key_id: 'rzp_test_1' };
  const pay = async () => {
    const server = mockPayments({ 'POST /api/payments/create-order': () => json(providerOrder) });
    renderScreen(<AddCreditsPanel />);
    await press('Pay ₹500');
    return server;
  };

  it('loads its script from the provider, once, and asks for it again when it did not come [PAY018]', async () => {
    const scripts = () => [...document.head.querySelectorAll<HTMLScriptElement>('script[src*="checkout"]')];
    await pay();
    await waitFor(() => expect(scripts()).toHaveLength(1));
    expect(scripts()[0]?.src).toMatch(/^https:\/\/checkout\.razorpay\.com\//);
    act(() => void scripts()[0]?.dispatchEvent(new Event('error')));
    expect(await screen.findByText('The payment page could not be loaded. Please try again.')).toBeVisible();
    expect(scripts()).toHaveLength(0);
    await press('Pay ₹500');
    await waitFor(() => expect(scripts()).toHaveLength(1));
    const opened = mockRazorpay(({ handler }) => handler(proof));
    act(() => void scripts()[0]?.dispatchEvent(new Event('load')));
    expect(await screen.findByText('39.98 credits added.')).toBeVisible();
    await press('Pay ₹500');
    await waitFor(() => expect(opened).toHaveLength(2));
    expect(scripts()).toHaveLength(1);
    scripts()[0]?.remove();
  });

  it('is opened with key and order, and its three fields are verified [PAY012] [PAY059]', async () => {
    const extra = { ...proof, razorpay_wallet: 'none' };
    const opened = mockRazorpay(({ handler }) => handler(extra));
    const server = await pay();
    expect(await screen.findByText('39.98 credits added.')).toBeVisible();
    expect(opened).toMatchObject([
      { key: 'rzp_test_1', amount: 1999, currency: 'INR', order_id: 'order_sandbox_1' },
    ]);
    expect(server.callsTo('POST /api/payments/verify-payment')[0]?.body).toEqual(proof);
  });

  it.each([
    ['is closed', (dismiss: () => void) => dismiss(), 'Payment was cancelled'],
    [
      'failed with a text',
      (dismiss: () => void, fail: Listener) => {
        fail({ error: { description: 'The bank declined the card.' } });
        dismiss();
      },
      'The bank declined the card.',
    ],
    [
      'failed without a text',
      (dismiss: () => void, fail: Listener) => {
        fail({ error: {} });
        dismiss();
      },
      'Payment failed. Please try again.',
    ],
  ])('that %s adds nothing and says so [PAY015] [PAY016]', async (_, run, text) => {
    mockRazorpay(({ modal }, fail) => run(modal.ondismiss, fail));
    const server = await pay();
    expect(await screen.findByText(text)).toBeVisible();
    expect(server.callsTo('POST /api/payments/verify-payment')).toHaveLength(0);
  });
});
