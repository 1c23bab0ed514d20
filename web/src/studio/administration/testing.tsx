import { storedToken, storedUser } from '../../platform/storage/storage';
import type { Account, DueRefund, FailedJob, KindOfJobs, Overview } from './types';

/** Writes the session of an administrator to the browser storage. */
export function signInAsAdministrator(): void {
  storedToken.write('secret');
  storedUser.write({
    id: 'me',
    name: 'Asha Sen',
    email: 'asha@studio.example',
    is_photographer: true,
    is_admin: true,
  });
}

export const anAccount = (overrides: Partial<Account> = {}): Account => ({
  id: 'a1',
  email: 'meera@studio.example',
  name: 'Meera Krishnan',
  verified: true,
  administrator: false,
  premium: false,
  locked: null,
  credits: 98,
  events: 3,
  photos: 1200,
  bytes: 3_221_225_472,
  created_at: '2026-11-20T10:00:00Z',
  last_login_at: null,
  ...overrides,
});

export const anOverview = (overrides: Partial<Overview> = {}): Overview => ({
  version: '0.9.0',
  schema: 35,
  engine: 'sqlite',
  counted_at: '2026-11-23T12:00:00Z',
  accounts: { open: 12, administrators: 1, verified: 11, locked: 1 },
  events: 34,
  photos: 6800,
  storage: {
    originals_bytes: 2_199_023_255_552,
    renditions_bytes: null,
    database_bytes: 4_567_890,
    media: 'file:///var/lib/afterglow/media',
    free_bytes: 0,
    kept_longer: null,
  },
  ledger: {
    bought: 1500,
    granted: 1200,
    taken: 20.5,
    charged: 640,
    returned: 100,
    balance: 1939.5,
    balances: 1939.5,
    agrees: true,
  },
  warnings: [],
  ...overrides,
});

export const aKindOfJobs = (overrides: Partial<KindOfJobs> = {}): KindOfJobs => ({
  kind: 'index_photo',
  waiting: 1234,
  running: 2,
  failed: 3,
  oldest_seconds: 340,
  ...overrides,
});

export const aFailedJob = (overrides: Partial<FailedJob> = {}): FailedJob => ({
  id: 'j1',
  kind: 'index_photo',
  error: 'the picture cannot be decoded',
  attempts: 40,
  photo_id: 'p1',
  created_at: '2026-11-20T10:00:00Z',
  failed_at: '2026-11-22T10:00:00Z',
  ...overrides,
});

export const aDueRefund = (overrides: Partial<DueRefund> = {}): DueRefund => ({
  payment_id: 'pay_1',
  provider: 'razorpay',
  amount: 999,
  reason: 'the account had the premium plan',
  account: { id: 'a1', email: 'meera@studio.example', name: 'Meera' },
  paid_at: '2026-11-20T10:00:00Z',
  ...overrides,
});
