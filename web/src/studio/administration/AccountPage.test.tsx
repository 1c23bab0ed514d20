import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import userEvent from '@testing-library/user-event';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import AccountPage from './AccountPage';
import { anAccount, signInAsAdministrator } from './testing';

const path = '/admin/administration/accounts';
const call = 'GET /api/administration/accounts/a1';

const renderAccount = () => renderScreen(<AccountPage />, `${path}/a1`, undefined, `${path}/:id`);

beforeEach(signInAsAdministrator);

describe('an account', () => {
  it('says what it has and what its states are', async () => {
    const locked = { at: '2026-11-22T10:00:00Z', reason: 'Chargeback' };
    mockServer({ [call]: () => json(anAccount({ locked, last_login_at: '2026-11-21T10:00:00Z' })) });
    renderAccount();
    expect(await screen.findByRole('heading', { level: 1, name: 'Meera Krishnan' })).toBeVisible();
    expect(document.title).toContain('Meera Krishnan');
    expect(screen.getByText('meera@studio.example')).toBeVisible();
    const glance = within(screen.getByRole('region', { name: 'At a glance' }));
    expect(glance.getByText('₹98')).toBeVisible();
    expect(glance.getByText('3.0 GB')).toBeVisible();
    expect(glance.getByTitle(/21 Nov 2026/)).toBeVisible();
    expect(screen.getByText('Locked')).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: 'All accounts' }));
    expect(await screen.findByText(`arrived at ${path}`)).toBeVisible();
  });

  it('asks again when it could not be loaded', async () => {
    const answers = [
      () => errorResponse(404, 'There is no such account', 'account_not_found'),
      () => json(anAccount({ name: '' })),
    ];
    mockServer({ [call]: () => (answers.shift() ?? (() => errorResponse(500)))() });
    renderAccount();
    expect(await screen.findByText('There is no such account')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'meera@studio.example' })).toBeVisible();
  });
});
