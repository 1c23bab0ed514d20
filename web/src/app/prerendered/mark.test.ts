import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { storedLanguage, storedReturn, storedToken } from '../../platform/storage/storage';

const script = readFileSync(join(import.meta.dirname, '../../../tools/mark.js'), 'utf8');
const html = document.documentElement;

/** Whether the script takes the document for that of another visitor. */
function isStale(): boolean {
  delete html.dataset['stale'];
  const element = document.createElement('script');
  element.textContent = script;
  document.head.append(element);
  element.remove();
  return html.dataset['stale'] !== undefined;
}

afterEach(() => {
  delete html.dataset['stale'];
  window.history.replaceState(null, '');
});

it('a prerendered document is that of a visitor in its language [NAV083]', () => {
  html.lang = 'en';
  expect(isStale()).toBe(false);
  storedLanguage.write('en');
  expect(isStale()).toBe(false);
});

it.each([
  ['somebody who is logged in', () => storedToken.write('token')],
  ['somebody whose session has ended', () => storedReturn.write({ path: null, reason: 'It has ended.' })],
  ['somebody who has chosen another language', () => storedLanguage.write('hi')],
  [
    'a guest whose event is gone',
    () => window.history.replaceState({ usr: { eventMissing: true }, key: 'event-missing' }, ''),
  ],
])('a prerendered document is not that of %s [NAV083]', (_, change) => {
  html.lang = 'en';
  change();
  expect(isStale()).toBe(true);
});
