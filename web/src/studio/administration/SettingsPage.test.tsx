import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import SettingsPage from './SettingsPage';
import { signInAsAdministrator } from './testing';

const path = '/admin/administration/settings';
const call = 'GET /api/administration/settings';
const setting = (name: string, value: string, standard: string, meaning: string) => ({
  name,
  variable: `AFTERGLOW_${name.toUpperCase()}`,
  value,
  default: standard,
  changed: value !== standard,
  meaning,
});
const settings = [
  setting(
    'public_url',
    'https://photos.example.com',
    'http://localhost:8080',
    'Scheme and host of every link',
  ),
  setting('metrics_token', '***', '', 'Opens /metrics to other machines'),
  setting('retention_days', '30', '30', 'Days that photos are kept'),
];

beforeEach(signInAsAdministrator);

const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.querySelector('code')?.textContent);

describe('the settings in force', () => {
  it('lists each with value, default and meaning', async () => {
    mockServer({ [call]: () => json({ settings }) });
    renderScreen(<SettingsPage />, path);
    await screen.findByRole('table', { name: 'Settings in force' });
    expect(names()).toEqual(['public_url', 'metrics_token', 'retention_days']);
    expect(screen.getByText('3 settings')).toBeVisible();
    const [, first] = screen.getAllByRole('row').map((row) => within(row));
    expect(first?.getByText('https://photos.example.com')).toBeVisible();
    expect(first?.getByText('http://localhost:8080')).toBeVisible();
    expect(first?.getByText('Changed')).toBeVisible();
    expect(first?.getByText('Scheme and host of every link')).toBeVisible();
  });

  it('finds by name, value or meaning, and those that were changed; the address keeps both', async () => {
    mockServer({ [call]: () => json({ settings }) });
    const { router } = renderScreen(<SettingsPage />, `${path}?show=changed`);
    await screen.findByRole('table');
    expect(names()).toEqual(['public_url', 'metrics_token']);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Find settings' }), 'Other MACHINES');
    expect(await screen.findByText('1 setting')).toBeVisible();
    expect(names()).toEqual(['metrics_token']);
    expect(router.state.location.search).toBe('?show=changed&find=Other+MACHINES');
    await userEvent.click(screen.getByRole('button', { name: 'All' }));
    await userEvent.clear(screen.getByRole('searchbox'));
    expect(await screen.findByText('3 settings')).toBeVisible();
    expect(router.state.location.search).toBe('');
  });

  it('says that none fits, or that they could not be loaded', async () => {
    const answers = [() => errorResponse(500), () => json({ settings: settings.slice(2) })];
    mockServer({ [call]: () => (answers.shift() ?? (() => errorResponse(500)))() });
    renderScreen(<SettingsPage />, `${path}?show=changed`);
    expect(await screen.findByText('The settings could not be loaded. Please try again.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('All of them have their defaults.')).toBeVisible();
  });
});
