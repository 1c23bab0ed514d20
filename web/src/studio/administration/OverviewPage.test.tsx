import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import OverviewPage from './OverviewPage';
import { anOverview, signInAsAdministrator } from './testing';

const path = '/admin/administration';
const kind = { kind: 'index_photo', waiting: 4, running: 1, failed: 2, oldest_seconds: 5 };
const refund = {
  payment_id: 'pay_1',
  provider: 'razorpay',
  amount: 999,
  reason: 'the account had the premium plan',
  account: null,
  paid_at: '2026-11-20T10:00:00Z',
};
const quiet = {
  'GET /api/administration/jobs': () => json({ kinds: [] }),
  'GET /api/administration/payments': () => json({ refunds_due: [], failed_orders: [] }),
};

beforeEach(signInAsAdministrator);

describe('the overview of the administration', () => {
  it('says what longer retention takes [EVT172]', async () => {
    const { storage } = anOverview();
    const kept_longer = { days: 30, photos: 1240, bytes: 3_650_722_201 };
    const overview = anOverview({ storage: { ...storage, kept_longer } });
    mockServer({ ...quiet, 'GET /api/administration/overview': () => json(overview) });
    renderScreen(<OverviewPage />, path);
    expect(await screen.findByText('Events keep 1,240 photos past 30 days: 3.4 GB')).toBeVisible();
  });

  it('shows accounts, events, photos, storage, ledger and version', async () => {
    mockServer({ ...quiet, 'GET /api/administration/overview': () => json(anOverview()) });
    renderScreen(<OverviewPage />, path);
    const region = async (name: string) => within(await screen.findByRole('region', { name }));
    const accounts = await region('Accounts');
    expect(accounts.getByText('12')).toBeVisible();
    expect(accounts.getByText('1 administrator · 1 not verified · 1 locked')).toBeVisible();
    expect((await region('Photos')).getByText('200 for each event')).toBeVisible();
    expect((await region('Originals')).getByText('2.0 TB')).toBeVisible();
    const storage = await region('Storage');
    expect(storage.getByText('4.4 MB')).toBeVisible();
    expect(storage.getByText('file:///var/lib/afterglow/media')).toBeVisible();
    expect(storage.queryByText('Thumbnails and previews')).toBeNull();
    expect(storage.getByText('Free on the disk').nextElementSibling).toHaveTextContent(/^0$/);
    expect(storage.queryByText(/Events keep/)).toBeNull();
    const ledger = await region('Ledger of credits');
    expect(ledger.getByText('−₹20.50')).toBeVisible();
    expect(ledger.getAllByText('₹1,939.50')).toHaveLength(2);
    expect(ledger.getByText('Ledger and balances agree')).toBeVisible();
    const installation = await region('Installation');
    expect(installation.getByText('0.9.0')).toBeVisible();
    expect(installation.getByText('SQLite')).toBeVisible();
    expect(await screen.findByText('Nothing needs attention.')).toBeVisible();
  });

  it('says what needs attention, and leads there', async () => {
    const warnings = ['The disk is almost full: uploads are refused.'];
    const ledger = { ...anOverview().ledger, balances: 1900, agrees: false };
    mockServer({
      'GET /api/administration/overview': () => json(anOverview({ warnings, ledger })),
      'GET /api/administration/jobs': () => json({ kinds: [kind] }),
      'GET /api/administration/payments': () => json({ refunds_due: [refund], failed_orders: [] }),
    });
    renderScreen(<OverviewPage />, path);
    const attention = within(await screen.findByRole('region', { name: 'Needs attention' }));
    expect(await attention.findByText('2 jobs have failed.')).toBeVisible();
    expect(attention.getByText('1 payment bought nothing and waits to be refunded.')).toBeVisible();
    expect(attention.getByText(warnings[0] as string)).toBeVisible();
    expect(attention.getByText(/Run afterglow check on the server\./)).toBeVisible();
    expect(screen.getByText('Ledger and balances differ')).toBeVisible();
    expect(attention.queryByText('Nothing needs attention.')).toBeNull();
    expect(attention.getByRole('link', { name: 'See the refunds' })).toHaveAttribute(
      'href',
      `${path}/refunds`,
    );
    await userEvent.click(attention.getByRole('link', { name: 'See the jobs' }));
    expect(await screen.findByText(`arrived at ${path}/jobs`)).toBeVisible();
  });

  it('asks again when it could not be loaded, and never calls uncounted jobs none', async () => {
    const answers = [() => errorResponse(503), () => json(anOverview())];
    mockServer({
      ...quiet,
      'GET /api/administration/overview': () => (answers.shift() ?? (() => errorResponse(500)))(),
      'GET /api/administration/jobs': () => errorResponse(500),
    });
    renderScreen(<OverviewPage />, path);
    expect(await screen.findByText('The overview could not be loaded. Please try again.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Failed jobs and refunds could not be counted.')).toBeVisible();
    expect(screen.queryByText('Nothing needs attention.')).toBeNull();
  });
});
