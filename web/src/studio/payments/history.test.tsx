import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HistoryLine } from '../../platform/api/types';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { creditsText, noteOf, paidText, titleOf } from './history';
import PaymentsPage from './PaymentsPage';

const aLine = (overrides: Partial<HistoryLine>): HistoryLine => ({
  date: '2026-11-20T09:00:00.000Z',
  kind: 'signup',
  credits: 0,
  paid: 0,
  missing: 0,
  photos: 0,
  event: null,
  payment_id: null,
  invoice: null,
  notes: [],
  note: null,
  ...overrides,
});

const recharge = aLine({ kind: 'recharge', credits: 100, paid: 100, payment_id: 'pay_1' });

beforeEach(signIn);
afterEach(() => vi.restoreAllMocks());

describe('a line of the history', () => {
  it.each([
    [aLine({ kind: 'signup', credits: 100 }), 'Free credits to begin with', '+100 credits', null, null],
    [recharge, 'Credits bought', '+100 credits', 'Paid ₹100', null],
    [aLine({ kind: 'doubling', credits: 100 }), 'First recharge doubled', '+100 credits', null, null],
    [aLine({ kind: 'premium', paid: 799.5 }), 'Premium plan', null, 'Paid ₹799.50', null],
    [
      aLine({ kind: 'unused', paid: 5 }),
      'Payment that bought nothing',
      null,
      'Paid ₹5',
      'It will be refunded',
    ],
    [
      aLine({ kind: 'unused', paid: 5, returned: true }),
      'Payment that bought nothing',
      null,
      'Paid ₹5',
      null,
    ],
    [aLine({ kind: 'photos', credits: -1, photos: 1 }), '1 photo', '−1 credit', null, null],
    [
      aLine({ kind: 'photos', credits: -1200, photos: 1200, event: 'Sangeet' }),
      '1,200 photos, Sangeet',
      '−1,200 credits',
      null,
      null,
    ],
    [
      aLine({ kind: 'refund', credits: -97, paid: -100, missing: 103 }),
      'Refund',
      '−97 credits',
      'Returned ₹100',
      '103 of its credits were spent already',
    ],
    [
      aLine({ kind: 'adjustment', credits: -2.5, note: 'Chargeback' }),
      'Credits taken by support',
      '−2.50 credits',
      null,
      'Chargeback',
    ],
    [aLine({ kind: 'adjustment', credits: 5 }), 'Credits given by support', '+5 credits', null, null],
  ])('is told in words: %o [PAY103] [PAY236]', (line, title, credits, paid, note) => {
    expect([titleOf(line), creditsText(line), paidText(line), noteOf(line)]).toEqual([
      title,
      credits,
      paid,
      note,
    ]);
  });
});

describe('/admin/payments', () => {
  const route = 'GET /api/payments/history';

  it('shows the history, and more of it on demand [PAY103]', async () => {
    const server = mockServer({
      [route]: ({ query }) =>
        query.get('cursor') === null
          ? json({ history: [recharge], next_cursor: '17.a b' })
          : json({
              history: [aLine({ kind: 'photos', credits: -3, photos: 3, event: '<b>Sangeet</b>' })],
              next_cursor: null,
            }),
    });
    renderScreen(<PaymentsPage />);
    expect(screen.getByRole('status', { name: 'Loading the payment history' })).toBeVisible();
    expect(await screen.findByText('Credits bought')).toBeVisible();
    expect(screen.getByText('20 Nov 2026')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('3 photos, <b>Sangeet</b>')).toBeVisible();
    expect(server.callsTo(route)[1]?.query.get('cursor')).toBe('17.a b');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    const rows = within(screen.getByRole('list')).getAllByRole('listitem');
    expect(rows).toHaveLength(2);
    await waitFor(() => expect(rows[1]).toHaveFocus());
    expect(within(rows[1] as HTMLElement).queryByRole('button')).toBeNull();
  });

  it('keeps what is there when more cannot be loaded, and tries again [PAY103]', async () => {
    const answers = [
      () => json({ history: [recharge], next_cursor: '1.a' }),
      () => errorResponse(503),
      () => json({ history: [aLine({ credits: 100 })], next_cursor: null }),
    ];
    mockServer({ [route]: () => (answers.shift() ?? (() => errorResponse(500)))() });
    renderScreen(<PaymentsPage />);
    fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('Failed to load the payment history')).toBeVisible();
    expect(screen.getByText('Credits bought')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Free credits to begin with')).toBeVisible();
    expect(screen.queryByText('Failed to load the payment history')).toBeNull();
  });

  it('has a state for nothing and for a failure [PAY103]', async () => {
    const answers = [() => errorResponse(500), () => json({ history: [], next_cursor: null })];
    mockServer({ [route]: () => (answers.shift() ?? (() => errorResponse(500)))() });
    renderScreen(<PaymentsPage />);
    expect(await screen.findByText('Failed to load the payment history')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download CSV' })).toBeDisabled();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Nothing here yet' })).toBeVisible();
  });

  it('downloads the history as CSV, or says that it failed [PAY103]', async () => {
    const saved = vi.fn<(blob: Blob) => string>(() => 'blob:csv');
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: saved, revokeObjectURL: () => undefined }));
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const answers = [() => errorResponse(503), () => new Response('date,kind\r\n')];
    mockServer({
      [route]: () => json({ history: [recharge], next_cursor: null }),
      'GET /api/payments/history.csv': () => (answers.shift() ?? (() => errorResponse(500)))(),
    });
    renderScreen(<PaymentsPage />);
    await screen.findByText('Credits bought');
    fireEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
    expect(await screen.findByText('Failed to download the payment history')).toBeVisible();
    expect(clicked).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
    expect(clicked.mock.contexts[0]).toMatchObject({ download: 'afterglow-payments.csv' });
    expect(saved.mock.calls[0]?.[0].size).toBe('date,kind\r\n'.length);
  });

  it('shows the receipt of a payment, which runs nothing, and prints it [PAY103]', async () => {
    mockServer({
      [route]: () => json({ history: [recharge], next_cursor: null }),
      'GET /api/payments/receipts/pay_1': () => new Response('<h1>Receipt of Meera</h1>'),
    });
    renderScreen(<PaymentsPage />);
    const button = await screen.findByRole('button', { name: 'Receipt, Credits bought, 20 Nov 2026' });
    fireEvent.click(button);
    const dialog = await screen.findByRole('dialog', { name: 'Receipt' });
    const frame = await within(dialog).findByTitle<HTMLIFrameElement>('Receipt pay_1');
    expect(frame.getAttribute('srcdoc')).toBe('<h1>Receipt of Meera</h1>');
    expect(frame.getAttribute('sandbox')).toBe('allow-same-origin allow-modals');
    const print = vi.fn();
    Object.defineProperty(frame.contentWindow, 'print', { value: print });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('has invoices and credit notes beside receipts, where there are any [PAY225]', async () => {
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: () => 'blob:pdf', revokeObjectURL: () => undefined }),
    );
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const invoiced = { ...recharge, invoice: 'I/2026-27/000001' };
    const refund = aLine({
      kind: 'refund',
      paid: -100,
      payment_id: 'pay_1',
      invoice: 'C/2026-27/000001',
    });
    const answers = [() => errorResponse(404, 'There is no such invoice'), () => new Response('%PDF-1.7')];
    mockServer({
      [route]: () =>
        json({ history: [refund, invoiced, { ...recharge, payment_id: 'pay_0' }], next_cursor: null }),
      'GET /api/payments/pay_1/invoice.pdf': () => (answers.shift() ?? (() => errorResponse(500)))(),
      'GET /api/payments/pay_1/notes/C-2026-27-000001.pdf': () => new Response('%PDF-1.7'),
    });
    renderScreen(<PaymentsPage />);
    const invoice = await screen.findByRole('button', { name: 'Invoice, Credits bought, 20 Nov 2026' });
    expect(screen.getAllByRole('button', { name: /^Receipt/ })).toHaveLength(3);
    fireEvent.click(invoice);
    expect(await screen.findByText('There is no such invoice')).toBeVisible();
    expect(clicked).not.toHaveBeenCalled();
    fireEvent.click(invoice);
    await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
    fireEvent.click(screen.getByRole('button', { name: 'Credit note, Refund, 20 Nov 2026' }));
    await waitFor(() => expect(clicked).toHaveBeenCalledTimes(2));
    expect(clicked.mock.contexts.map((link) => (link as HTMLAnchorElement).download)).toEqual([
      'I-2026-27-000001.pdf',
      'C-2026-27-000001.pdf',
    ]);
  });

  it('has the notes of a refund that came back beside its payment [PAY225]', async () => {
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: () => 'blob:pdf', revokeObjectURL: () => undefined }),
    );
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const notes = [
      { kind: 'credit_note', number: 'C/2026-27/000001' },
      { kind: 'debit_note', number: 'D/2026-27/000001' },
    ];
    const server = mockServer({
      [route]: () =>
        json({ history: [{ ...recharge, invoice: 'I/2026-27/000001', notes }], next_cursor: null }),
      'GET /api/payments/pay_1/notes/C-2026-27-000001.pdf': () => new Response('%PDF-1.7'),
      'GET /api/payments/pay_1/notes/D-2026-27-000001.pdf': () => new Response('%PDF-1.7'),
    });
    renderScreen(<PaymentsPage />);
    fireEvent.click(await screen.findByRole('button', { name: /^Credit note, Credits bought/ }));
    await waitFor(() => expect(clicked).toHaveBeenCalledTimes(1));
    fireEvent.click(screen.getByRole('button', { name: /^Debit note, Credits bought/ }));
    await waitFor(() => expect(clicked).toHaveBeenCalledTimes(2));
    expect(server.callsTo('GET /api/payments/pay_1/notes/D-2026-27-000001.pdf')).toHaveLength(1);
  });

  it('says when a receipt cannot be loaded [PAY103]', async () => {
    const answers = [() => errorResponse(404, 'Payment not found'), () => new Response('<p>ok</p>')];
    mockServer({
      [route]: () => json({ history: [recharge], next_cursor: null }),
      'GET /api/payments/receipts/pay_1': () => (answers.shift() ?? (() => errorResponse(500)))(),
    });
    renderScreen(<PaymentsPage />);
    fireEvent.click(await screen.findByRole('button', { name: /^Receipt/ }));
    expect(await screen.findByText('Payment not found')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Print' })).toBeDisabled();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByTitle('Receipt pay_1')).toBeVisible();
  });
});
