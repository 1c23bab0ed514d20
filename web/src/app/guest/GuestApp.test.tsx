import { i18n } from '@lingui/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { eventBody, eventRoute, mockFormServer, searchHandlers } from '../../guest/testing';
import { formatBytes } from '../../platform/bytes';
import { formatCount, formatLongDate } from '../../platform/formats';
import { negotiateLanguage } from '../../platform/i18n/languages';
import { storedLanguage } from '../../platform/storage/storage';
import { json } from '../../testing/server';
import { embeddedEvent } from './embeddedEvent';
import { GuestApp } from './GuestApp';
import { chooseGuestLanguage } from './chooseLanguage';
import { startGuestLanguage } from './language';

const preferred = (...tags: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags);

const choose = (tag: string) => chooseGuestLanguage(negotiateLanguage([tag]));

afterEach(() => {
  i18n.loadAndActivate({ locale: 'en', locales: 'en-IN', messages: {} });
  document.documentElement.lang = 'en';
  document.documentElement.dir = 'ltr';
});

describe('the language', () => {
  test('is the browser’s, and that of the document', async () => {
    preferred('fr-CA', 'en');
    await startGuestLanguage();
    expect(i18n.locale).toBe('fr');
    expect(document.documentElement).toHaveAttribute('lang', 'fr');
    expect(document.documentElement).toHaveAttribute('dir', 'ltr');
  });

  test('is what was chosen on this device before', async () => {
    preferred('fr');
    storedLanguage.write('ta');
    await startGuestLanguage();
    expect(i18n.locale).toBe('ta');
  });

  test('is English when its catalogue cannot be loaded', async () => {
    vi.doMock('../../../locales/gu/guest.po', () => {
      throw new Error('the connection is lost');
    });
    preferred('gu');
    await startGuestLanguage();
    expect(i18n.locale).toBe('en');
    await expect(choose('gu')).rejects.toThrow();
    expect(storedLanguage.read()).toBeNull();
    vi.doUnmock('../../../locales/gu/guest.po');
  });

  test('may be written from right to left', async () => {
    await choose('ar');
    expect(document.documentElement).toHaveAttribute('dir', 'rtl');
    expect(storedLanguage.read()).toBe('ar');
  });

  test('has its own dates, numbers and sizes', async () => {
    await choose('de');
    expect(formatLongDate('2026-11-14')).toBe('Samstag, 14. November 2026');
    expect(formatCount(3482)).toBe('3.482');
    expect(formatBytes(10_276_045)).toBe('9,8 MB');
    await choose('hi');
    expect(formatLongDate('2026-11-14')).toBe('शनिवार, 14 नवंबर 2026');
    expect(formatCount(123_456)).toBe('1,23,456');
    await choose('en');
    expect(formatLongDate('2026-11-14')).toBe('Saturday, 14 November 2026');
  });
});

describe('the event in the document', () => {
  const put = (content: string) => {
    const data = document.createElement('script');
    data.type = 'application/json';
    data.id = 'event';
    data.textContent = content;
    document.body.append(data);
    return data;
  };

  test('is shown before the API has answered, and then as the API has it', async () => {
    let deliver: (response: Response) => void = () => undefined;
    mockFormServer({ [eventRoute]: () => new Promise((resolve) => (deliver = resolve)) });
    const data = put(JSON.stringify(eventBody({ name: 'Asha </script> & Ravi' })));
    render(<GuestApp slug="aanya-rohan" />);
    expect(screen.getByRole('heading', { level: 1, name: 'Asha </script> & Ravi' })).toBeVisible();
    data.remove();
    deliver(json(eventBody({ name: 'Renamed' })));
    expect(await screen.findByRole('heading', { level: 1, name: 'Renamed' })).toBeVisible();
  });

  test('is not taken for another event', () => {
    const data = put(JSON.stringify(eventBody()));
    expect(embeddedEvent('aanya-rohan')?.name).toBe('Aanya & Rohan');
    expect(embeddedEvent('another')).toBeNull();
    data.remove();
    expect(embeddedEvent('aanya-rohan')).toBeNull();
  });
});

test('is changed on the page, and remembered', async () => {
  const server = mockFormServer(searchHandlers());
  await choose('en');
  render(<GuestApp slug="aanya-rohan" />);
  expect(await screen.findByRole('heading', { name: 'Find Your Photos' })).toBeVisible();
  const user = userEvent.setup();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'Deutsch');
  expect(await screen.findByRole('combobox', { name: 'Sprache' })).toHaveValue('de');
  expect(await screen.findByText('Samstag, 14. November 2026')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Find Your Photos' })).not.toBeInTheDocument();
  expect(storedLanguage.read()).toBe('de');
  expect(server.callsTo(eventRoute).length).toBeGreaterThan(0);
});

test('an event that cannot be shown leaves the bar and a way back, not an empty page', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  mockFormServer({ ...searchHandlers(), [eventRoute]: () => json({ ...eventBody(), indexing: undefined }) });
  render(<GuestApp slug="aanya-rohan" />);
  expect(await screen.findByText('The event could not be loaded')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Menu' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
});
