import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Page } from '@playwright/test';

const KEY_ID = 'rzp_test_afterglow';
const KEY_SECRET = 'a secret of the tests';
const SCRIPT = 'https://checkout.razorpay.com/v1/checkout.js';
const WINDOW = 'https://api.razorpay.com/v1/checkout/public';

interface Order {
  readonly id: string;
  readonly amount: number;
  readonly receipt: string;
  readonly created_at: number;
  status: 'created' | 'paid';
}

type Proof = Record<'razorpay_order_id' | 'razorpay_payment_id' | 'razorpay_signature', string>;

/** The payment provider: the part that the server calls, and the part that the page loads. */
export interface Provider {
  /** What the server needs to reach it. */
  readonly settings: Record<string, string>;
  readonly orders: readonly Order[];
  /** What the page asked of the provider's own hosts. */
  readonly asked: readonly string[];
  /** Answers the page for those hosts, or has it find nobody there. */
  answer(page: Page, reachable?: boolean): Promise<void>;
  /** Somebody pays an order: what the page gets to prove it. */
  pay: (orderId: string) => Proof;
  /** Somebody's bank says yes to an order, and the money is not taken yet. */
  authorize: (orderId: string) => Proof;
  /** What somebody makes up who has not paid. */
  forge: (orderId: string) => Proof;
  stop(): void;
}

/**
 * Starts a stand-in of Razorpay: orders over its HTTP API (razorpay.com/docs/api/orders) and a Checkout
 * (razorpay.com/docs/payments/payment-gateway/web-integration/standard) whose window is a frame of its own host, with a
 * button for each way that a payment can go.
 */
export async function startProvider(): Promise<Provider> {
  const orders: Order[] = [];
  const asked: string[] = [];
  const api = createServer((request, response) => {
    void textOf(request).then((text) => {
      const [status, body] = answerOf(orders, request.method ?? '', request.url ?? '', text);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening));
  const { port } = api.address() as AddressInfo;
  return {
    settings: {
      AFTERGLOW_RAZORPAY_KEY_ID: KEY_ID,
      AFTERGLOW_RAZORPAY_KEY_SECRET: KEY_SECRET,
      AFTERGLOW_RAZORPAY_API_URL: `http://127.0.0.1:${port}`,
    },
    orders,
    asked,
    answer: async (page, reachable = true) => {
      await page.route(/^https:\/\/[a-z]+\.razorpay\.com\//, (route) => {
        const url = route.request().url();
        asked.push(url);
        if (!reachable) return route.abort('connectionrefused');
        if (url === SCRIPT) return route.fulfill({ contentType: 'text/javascript', body: checkoutScript() });
        if (url.startsWith(WINDOW)) return route.fulfill({ contentType: 'text/html', body: checkoutWindow() });
        return route.abort();
      });
    },
    pay: (orderId) => {
      const order = orders.find(({ id }) => id === orderId);
      if (order === undefined) throw new Error(`${orderId} is no order`);
      order.status = 'paid';
      return proofOf(orderId, KEY_SECRET);
    },
    authorize: (orderId) => proofOf(orderId, KEY_SECRET),
    forge: (orderId) => proofOf(orderId, 'a secret of somebody else'),
    stop: () => void api.close(),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function answerOf(orders: Order[], method: string, path: string, text: string): [number, object] {
  const body = (order: Order) => ({ ...order, entity: 'order', currency: 'INR' });
  if (method === 'POST' && path === '/v1/orders') {
    const wanted = JSON.parse(text) as { amount: number; receipt: string };
    const id = `order_${String(orders.length + 1).padStart(14, '0')}`;
    const created_at = Math.floor(Date.now() / 1000);
    const order: Order = {
      id,
      amount: wanted.amount,
      receipt: wanted.receipt,
      created_at,
      status: 'created',
    };
    orders.push(order);
    return [200, body(order)];
  }
  const [, id, payments] = /^\/v1\/orders\/(\w+)(\/payments)?$/.exec(path) ?? [];
  const order = orders.find((each) => each.id === id);
  if (method !== 'GET' || order === undefined) {
    return [400, { error: { code: 'BAD_REQUEST_ERROR', description: 'There is no such order.' } }];
  }
  if (payments === undefined) return [200, body(order)];
  const { amount } = order;
  const created_at = Math.floor(Date.now() / 1000);
  const payment = {
    id: paymentOf(order.id),
    entity: 'payment',
    amount,
    amount_refunded: 0,
    currency: 'INR',
    order_id: order.id,
    status: 'captured',
    created_at,
  };
  const items = order.status === 'paid' ? [payment] : [];
  return [200, { entity: 'collection', count: items.length, items }];
}

const paymentOf = (orderId: string) => orderId.replace('order_', 'pay_');

/** The order and its payment, signed with the secret of an account. */
function proofOf(orderId: string, secret: string): Proof {
  const payment = paymentOf(orderId);
  const signature = createHmac('sha256', secret).update(`${orderId}|${payment}`).digest('hex');
  return { razorpay_order_id: orderId, razorpay_payment_id: payment, razorpay_signature: signature };
}

interface Options {
  key: string;
  amount: number;
  order_id: string;
  prefill: { email: string };
  handler: (proof: unknown) => void;
  modal: { ondismiss: () => void };
}

/** The script that the page loads: it opens the window and passes on what happens there. */
function checkoutScript(): string {
  const script = (address: string) => {
    class Checkout {
      readonly #options: Options;
      #onFailure: (failure: unknown) => void = () => undefined;

      constructor(options: Options) {
        this.#options = options;
      }

      on(_event: string, listener: (failure: unknown) => void) {
        this.#onFailure = listener;
      }

      open() {
        const { key, amount, order_id, prefill, handler, modal } = this.#options;
        const frame = document.createElement('iframe');
        frame.title = 'Razorpay Checkout';
        frame.src = `${address}?${new URLSearchParams({ key, order_id, amount: String(amount), email: prefill.email }).toString()}`;
        Object.assign(frame.style, { position: 'fixed', inset: '0', width: '100%', height: '100%', zIndex: '9999' });
        const hear = ({ source, data }: MessageEvent<{ event: string; detail: unknown }>) => {
          if (source !== frame.contentWindow) return;
          if (data.event === 'failed') {
            this.#onFailure({ error: data.detail });
            return;
          }
          window.removeEventListener('message', hear);
          // Not at once: whoever pressed a button of a frame that is gone is never told that it was pressed.
          setTimeout(() => frame.remove(), 200);
          if (data.event === 'paid') handler(data.detail);
          else modal.ondismiss();
        };
        window.addEventListener('message', hear);
        document.body.append(frame);
      }
    }
    Object.assign(window, { Razorpay: Checkout });
  };
  return `(${script.toString()})(${JSON.stringify(WINDOW)})`;
}

/** The window of the checkout. `pay`, `authorize` and `forge` are the provider's own, which the test puts into the page. */
function checkoutWindow(): string {
  const script = () => {
    const query = new URLSearchParams(window.location.search);
    const line = document.querySelector('p');
    if (line !== null)
      line.textContent = `${query.get('email') ?? ''} pays ${query.get('amount') ?? ''} paise with ${query.get('key') ?? ''}`;
    const tell = (event: string, detail?: unknown) => window.parent.postMessage({ event, detail }, '*');
    const on = (id: string, act: () => void) => document.getElementById(id)?.addEventListener('click', act);
    const provider = window as unknown as Record<'pay' | 'authorize' | 'forge', (order: string) => Promise<unknown>>;
    const order = query.get('order_id') ?? '';
    on('take', () => void provider.pay(order).then((proof) => tell('paid', proof)));
    on('take later', () => void provider.authorize(order).then((proof) => tell('paid', proof)));
    on('invent', () => void provider.forge(order).then((proof) => tell('paid', proof)));
    on('decline', () => tell('failed', { description: 'The bank declined the card.' }));
    on('close', () => tell('closed'));
    // The test's functions come into a frame a moment after its document.
    const enabling = setInterval(() => {
      if (typeof provider.forge !== 'function') return;
      clearInterval(enabling);
      for (const button of document.querySelectorAll('button')) button.disabled = false;
    }, 10);
  };
  const buttons = ['take', 'take later', 'invent', 'decline', 'close'].map(
    (id) => `<button id="${id}" disabled>${id}</button>`,
  );
  return `<!doctype html><p></p><input aria-label="Card number">${buttons.join('')}<script>(${script.toString()})()</script>`;
}
