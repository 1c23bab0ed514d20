import { i18n } from '@lingui/core';
import { describe, expect, test, vi } from 'vitest';
import { IN_APP_AGENTS } from '../../../e2e/engines/inAppAgents';
import list from '../../../public/in-app-browsers.json';
import { currentInAppBrowser, exitLink, type InAppBrowser, parseInAppBrowsers } from './inAppBrowsers';
import { inAppTexts } from './inAppTexts';
import { translated } from './translated';

const browsers = parseInAppBrowsers(list);
const nameOf = (userAgent: string, scope: object = {}) =>
  currentInAppBrowser(browsers, userAgent, scope)?.name ?? null;

describe('[DOWN085] an in-app browser', () => {
  test.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Instagram 340.0.0',
      'Instagram',
    ],
    ['Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/FBIOS;FBAV/480.0]', 'Facebook'],
    ['Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) Chrome/126.0 [FB_IAB/FB4A;FBAV/470.0]', 'Facebook'],
    ['Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 WAiOS/2.26', 'WhatsApp'],
    ['Mozilla/5.0 (Linux; Android 14; wv) Chrome/126.0 Mobile Safari/537.36 WA4A/2.26', 'WhatsApp'],
    ['Mozilla/5.0 (Linux; Android 14; wv) Chrome/126.0 Mobile Safari/537.36 Line/14.0', 'LINE'],
    ['Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 musical_ly_36.0 BytedanceWebview', 'TikTok'],
    ['Mozilla/5.0 (Linux; Android 14; wv) Chrome/126.0 Mobile Safari/537.36', 'the app'],
  ])('is told by its user agent: %s', (userAgent, name) => {
    expect(nameOf(userAgent)).toBe(name);
  });

  test.each(IN_APP_AGENTS)('is told as it comes now, and has its way out: $app on $system', (agent) => {
    const scope = Object.fromEntries((agent.globals ?? []).map((name) => [name, {}]));
    const browser = currentInAppBrowser(browsers, agent.userAgent, scope);
    expect(browser?.name).toBe(agent.app);
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent.userAgent);
    const link = exitLink(browser as InAppBrowser, 'https://photos.example/event/a#results=T');
    if (agent.exit === null) expect(link).toBeNull();
    else expect(link?.startsWith(agent.exit)).toBe(true);
  });

  test('is told by a global variable', () => {
    expect(nameOf('Mozilla/5.0 (iPhone) Safari/604.1', { TelegramWebviewProxy: {} })).toBe('Telegram');
  });

  test.each([
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  ])('is no browser of its own: %s', (userAgent) => {
    expect(nameOf(userAgent)).toBeNull();
  });
});

describe('[DOWN086] the way out', () => {
  const url = 'https://photos.example/event/a#results=T';
  const linkOf = (name: string, userAgent: string) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
    return exitLink(browsers.find((browser) => browser.name === name) as InAppBrowser, url);
  };

  test('is a link of the app with the whole address', () => {
    expect(linkOf('WhatsApp', 'iPhone')).toBe('x-safari-https://photos.example/event/a#results=T');
    expect(linkOf('WhatsApp', 'Android')).toBe(
      'intent://photos.example/event/a#results=T#Intent;scheme=https;end',
    );
    expect(linkOf('Instagram', 'iPhone')).toBe(
      'instagram://extbrowser/?url=https%3A%2F%2Fphotos.example%2Fevent%2Fa%23results%3DT',
    );
    expect(linkOf('LINE', 'iPhone')).toBe('https://photos.example/event/a?openExternalBrowser=1#results=T');
  });

  test('is missing where the app has none', () => {
    expect(linkOf('Snapchat', 'iPhone')).toBeNull();
  });
});

test('what is not an entry is left out of the list', () => {
  expect(parseInAppBrowsers({})).toEqual([]);
  expect(parseInAppBrowsers([null, { name: '' }, { name: 'A', userAgent: ['a', 5], exits: 'no' }])).toEqual([
    { name: 'A', userAgent: ['a'], globals: [], exits: {}, menu: '' },
  ]);
});

test('the texts of the shipped list are there for translation; others stay', () => {
  const ids = inAppTexts.map(({ id }) => id);
  for (const { menu } of browsers) expect(ids).toContain(menu);
  expect(ids).toContain(browsers.at(-1)?.name);
  i18n.loadAndActivate({ locale: 'de', messages: { 'the app': ['der App'] } });
  expect(translated('the app')).toBe('der App');
  expect(translated('WhatsApp')).toBe('WhatsApp');
  i18n.loadAndActivate({ locale: 'en', locales: 'en-IN', messages: {} });
});
