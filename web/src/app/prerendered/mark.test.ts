import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storedLanguage, storedReturn, storedToken } from '../../platform/storage/storage';

const script = readFileSync(join(import.meta.dirname, '../../../tools/mark.js'), 'utf8');
const html = document.documentElement;

let parsed: () => void;
let paint: (name: string) => void;

beforeEach(() => {
  html.lang = 'en';
  vi.useFakeTimers();
  vi.spyOn(document, 'addEventListener').mockImplementation((_: string, listener: unknown) => {
    parsed = listener as () => void;
  });
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(tell: (paints: object) => void) {
        paint = (name) => tell({ getEntriesByName: (each: string) => (each === name ? [name] : []) });
      }
      observe = () => undefined;
    },
  );
});

afterEach(() => {
  delete html.dataset['stale'];
  window.history.replaceState(null, '');
  document.head.querySelectorAll('template, [data-app]').forEach((element) => element.remove());
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** How many of the app's scripts the document has. */
const loaded = () => document.head.querySelectorAll('script[data-app]').length;

/** Runs the script as the document does while it is parsed. */
function run(): void {
  const template = document.createElement('template');
  template.id = 'scripts';
  template.innerHTML = '<script type="module" data-app></script>';
  document.head.append(template);
  runInThisContext(script);
}

/** Whether the script takes the document for that of another visitor, whose scripts are loaded at once. */
function isStale(): boolean {
  run();
  const stale = html.dataset['stale'] !== undefined;
  expect(loaded()).toBe(stale ? 1 : 0);
  document.head.querySelector('template')?.remove();
  return stale;
}

it('a prerendered document is that of a visitor in its language [NAV083]', () => {
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
  change();
  expect(isStale()).toBe(true);
});

it('the scripts are loaded once the page is painted, and once [NAV082]', () => {
  run();
  parsed();
  paint('first-paint');
  expect(loaded()).toBe(0);
  paint('first-contentful-paint');
  expect(loaded()).toBe(1);
  vi.runAllTimers();
  expect(loaded()).toBe(1);
});

it('the scripts are loaded where nothing is painted [NAV082]', () => {
  run();
  parsed();
  expect(loaded()).toBe(0);
  vi.runAllTimers();
  expect(loaded()).toBe(1);
});

it('the scripts are loaded at once where nobody looks at the page [NAV082]', () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  run();
  expect(loaded()).toBe(1);
});
