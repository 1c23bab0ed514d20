import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { BillingCard } from './BillingCard';

const route = '/api/payments/billing';
const states = [
  { code: '27', name: 'Maharashtra' },
  { code: '29', name: 'Karnataka' },
];
const billing = { name: 'Meera Studios', address: 'Pune', state: '27', gstin: '27AAPFU0939F1ZV' };
const answer = (overrides = {}) => json({ makes_invoices: true, billing: null, states, ...overrides });

beforeEach(signIn);

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });

describe('the billing details', () => {
  it('are empty until somebody fills them in [PAY228]', async () => {
    const { calls } = mockServer({
      [`GET ${route}`]: () => answer(),
      [`PUT ${route}`]: () => answer({ billing }),
    });
    renderScreen(<BillingCard />, '/admin/account');
    fireEvent.click(await screen.findByRole('button', { name: 'Add billing details' }));
    expect(screen.queryByRole('button', { name: 'Remove billing details' })).toBeNull();
    type('Name of the person or company', 'Meera Studios');
    type('Billing address', 'Pune');
    fireEvent.change(screen.getByRole('combobox', { name: 'State or union territory' }), {
      target: { value: '27' },
    });
    type('GSTIN', '27AAPFU0939F1ZV');
    fireEvent.click(screen.getByRole('button', { name: 'Save billing details' }));
    expect(await screen.findByText('Billing details saved.')).toBeVisible();
    expect(screen.getByText('Meera Studios, Maharashtra, 27AAPFU0939F1ZV')).toBeVisible();
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual(billing);
  });

  it('say what is wrong with them, and can be removed [PAY228]', async () => {
    const answers = [
      () => errorResponse(400, 'The GSTIN is that of another state', 'billing_state_differs'),
      () => answer(),
    ];
    const { calls } = mockServer({
      [`GET ${route}`]: () => answer({ billing }),
      [`PUT ${route}`]: () => (answers.shift() ?? (() => errorResponse(500)))(),
    });
    renderScreen(<BillingCard />, '/admin/account');
    fireEvent.click(await screen.findByRole('button', { name: 'Edit billing details' }));
    expect(screen.getByRole('textbox', { name: 'Billing address' })).toHaveValue('Pune');
    fireEvent.change(screen.getByRole('combobox'), { target: { value: '29' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save billing details' }));
    expect(await screen.findByText('The GSTIN is that of another state')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Remove billing details' }));
    expect(await screen.findByText('Billing details removed.')).toBeVisible();
    expect(calls.at(-1)?.body).toEqual({ name: '', address: '', state: '', gstin: '' });
  });

  it('are not there where there are no invoices, unless there is something to remove [PAY228]', async () => {
    const { calls } = mockServer({ [`GET ${route}`]: () => answer({ makes_invoices: false }) });
    const { container, unmount } = renderScreen(<BillingCard />, '/admin/account');
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(container.querySelector('section')).toBeNull();
    unmount();
    mockServer({ [`GET ${route}`]: () => answer({ makes_invoices: false, billing }) });
    renderScreen(<BillingCard />, '/admin/account');
    expect(await screen.findByRole('button', { name: 'Edit billing details' })).toBeVisible();
  });
});
