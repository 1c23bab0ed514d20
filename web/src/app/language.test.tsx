import { i18n } from '@lingui/core';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { LanguageCard } from '../studio/account/LanguageCard';
import { storedLanguage } from '../platform/storage/storage';
import { renderScreen } from '../testing/render';
import { json, mockServer } from '../testing/server';
import { adminLanguages, chooseSectionLanguage, startSectionLanguage } from './language';
import { NavigationBar } from './navigation/NavigationBar';

const user = userEvent.setup();

afterEach(() => {
  i18n.loadAndActivate({ locale: 'en', locales: 'en-IN', messages: {} });
  document.documentElement.lang = 'en';
});

test.each([
  ['ta', 'ta', 'en'],
  ['hi', 'hi', 'hi'],
  ['en', 'en', 'en'],
])('a visitor of %s has public pages in %s and admin screens in %s', async (tag, site, admin) => {
  storedLanguage.write(tag);
  for (const round of [1, 2]) {
    await startSectionLanguage('public');
    expect(i18n.locale, `public, ${round}`).toBe(site);
    await startSectionLanguage('admin');
    expect(i18n.locale, `admin, ${round}`).toBe(admin);
  }
  expect(storedLanguage.read()).toBe(tag);
});

test('the bar of the public pages changes the language', async () => {
  mockServer({});
  renderScreen(<NavigationBar tone="solid" />, '/pricing');
  await user.selectOptions(screen.getByRole('combobox'), 'தமிழ்');
  await vi.waitFor(() => expect(document.documentElement).toHaveAttribute('lang', 'ta'));
  expect(screen.getByRole('combobox')).toHaveValue('ta');
  expect(storedLanguage.read()).toBe('ta');
});

test('the account page offers English and Hindi, and remembers the choice', async () => {
  expect(adminLanguages.map(({ tag }) => tag)).toEqual(['en', 'hi']);
  const { callsTo } = mockServer({
    'GET /api/auth/language': () => json({ language: 'en' }),
    'PUT /api/auth/language': () => json({ language: 'hi' }),
  });
  renderScreen(<LanguageCard languages={adminLanguages} choose={chooseSectionLanguage('admin')} />);
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['English', 'हिन्दी']);
  await user.selectOptions(screen.getByRole('combobox'), 'हिन्दी');
  await vi.waitFor(() => expect(storedLanguage.read()).toBe('hi'));
  expect(i18n.locale).toBe('hi');
  await vi.waitFor(() => expect(callsTo('PUT /api/auth/language')[0]?.body).toEqual({ language: 'hi' }));
});

test('a language that cannot be loaded is said so, and not remembered', async () => {
  const { callsTo } = mockServer({ 'GET /api/auth/language': () => json({ language: 'en' }) });
  const choose = () => Promise.reject(new Error('the connection is lost'));
  renderScreen(<LanguageCard languages={adminLanguages} choose={choose} />);
  await user.selectOptions(screen.getByRole('combobox'), 'हिन्दी');
  expect(await screen.findByText('The language could not be loaded. Please try again.')).toBeVisible();
  expect(screen.getByRole('combobox')).toHaveValue('en');
  expect(storedLanguage.read()).toBeNull();
  expect(callsTo('PUT /api/auth/language')).toEqual([]);
});
