import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedToken, storedUser } from '../platform/storage/storage';
import { signIn } from '../testing/render';
import { json, mockServer } from '../testing/server';
import { renderRoute } from './testing';

// The screens have tests of their own: here each is a stub that identifies its route.
vi.mock('../studio/administration/OverviewPage', () => ({ default: () => <p>the overview</p> }));
vi.mock('../studio/administration/AccountsPage', () => ({ default: () => <p>the accounts</p> }));
vi.mock('../studio/administration/AccountPage', () => ({ default: () => <p>an account</p> }));
vi.mock('../studio/administration/EventsPage', () => ({ default: () => <p>the events</p> }));
vi.mock('../studio/administration/JobsPage', () => ({ default: () => <p>the jobs</p> }));
vi.mock('../studio/administration/RefundsPage', () => ({ default: () => <p>the refunds</p> }));
vi.mock('../studio/administration/WebhooksPage', () => ({ default: () => <p>the webhooks</p> }));
vi.mock('../studio/administration/WebhookPage', () => ({ default: () => <p>a webhook</p> }));
vi.mock('../studio/administration/SettingsPage', () => ({ default: () => <p>the settings</p> }));

const screens = [
  ['/admin/administration', 'the overview'],
  ['/admin/administration/accounts', 'the accounts'],
  ['/admin/administration/accounts/a1', 'an account'],
  ['/admin/administration/events', 'the events'],
  ['/admin/administration/jobs', 'the jobs'],
  ['/admin/administration/refunds', 'the refunds'],
  ['/admin/administration/webhooks', 'the webhooks'],
  ['/admin/administration/webhooks/w1', 'a webhook'],
  ['/admin/administration/settings', 'the settings'],
] as const;

const signInAsAdministrator = () => {
  storedToken.write('secret');
  storedUser.write({ name: 'Asha', email: 'asha@studio.example', is_photographer: true, is_admin: true });
};

beforeEach(() => {
  mockServer({
    'GET /api/events/': () => json([]),
    'GET /api/auth/second-factor': () =>
      json({
        since: null,
        last_used_at: null,
        passkeys: 0,
        passkeys_available: true,
        recovery_codes: 0,
        administration: 'nothing',
      }),
    'GET /api/objections': () => json({ objections: [] }),
  });
});

describe('the administration', () => {
  it('is reached by the bar, and each of its screens by its own navigation', async () => {
    signInAsAdministrator();
    const router = renderRoute('/admin/administration/settings');
    expect(await screen.findByText('the settings')).toBeVisible();
    const bar = within(await screen.findByRole('navigation', { name: 'Main' }));
    await userEvent.click(await bar.findByRole('link', { name: 'Administration' }));
    expect(await screen.findByText('the overview')).toBeVisible();
    const navigation = within(screen.getByRole('navigation', { name: 'Administration' }));
    for (const [label, text] of [
      ['Accounts', 'the accounts'],
      ['Events', 'the events'],
      ['Jobs', 'the jobs'],
      ['Refunds', 'the refunds'],
      ['Webhooks', 'the webhooks'],
      ['Settings', 'the settings'],
      ['Overview', 'the overview'],
    ] as const) {
      await userEvent.click(navigation.getByRole('link', { name: label }));
      expect(await screen.findByText(text)).toBeVisible();
      expect(navigation.getByRole('link', { current: 'page' })).toHaveTextContent(label);
    }
    await router.navigate('/admin/administration/accounts/a1');
    expect(await screen.findByText('an account')).toBeVisible();
    expect(navigation.getByRole('link', { current: 'page' })).toHaveTextContent('Accounts');
  });

  it.each(screens)('%s denies access to a photographer', async (path, text) => {
    signIn();
    renderRoute(path);
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible();
    expect(screen.getByText('This page is for administrators.')).toBeVisible();
    expect(screen.getByText(path)).toBeVisible();
    expect(screen.queryByText(text)).toBeNull();
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/admin/overview');
    expect(await screen.findByRole('link', { name: 'Gallery' })).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Administration' })).toBeNull();
  });

  it('is behind the login', async () => {
    const router = renderRoute('/admin/administration/jobs');
    expect(await screen.findByRole('heading', { name: 'Login' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/login');
  });
});
