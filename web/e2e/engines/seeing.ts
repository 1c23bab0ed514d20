import { expect } from '@playwright/test';
import { type EnginePage, type Wanted } from './engine';

export const appears = (page: EnginePage, wanted: Wanted) =>
  expect.poll(() => page.has(wanted), { message: `'${wanted.name}' is there` }).toBe(true);

export const disappears = (page: EnginePage, wanted: Wanted) =>
  expect.poll(() => page.has(wanted), { message: `'${wanted.name}' is gone` }).toBe(false);

/** Expects the text once, where it can be read, and announced to a screen reader. */
export const isReadable = (page: EnginePage, text: RegExp) =>
  expect.poll(() => page.run(messageState, text.source), { message: `${text}`, timeout: 60_000 }).toBe('readable');

/** Expects the picture whose alternative text is this or begins so, loaded, in the middle of the window and not covered. */
export const fillsWindow = (page: EnginePage, alt: string) =>
  expect.poll(() => page.run(isInMiddle, alt), { message: `'${alt}' fills the window` }).toBe(true);

/** Runs in the page. */
function messageState(pattern: string): string {
  const matches = (element: Element) =>
    element.childElementCount === 0 && new RegExp(pattern).test(element.textContent.trim());
  const found = [...document.body.querySelectorAll('*')].filter(
    (element) => matches(element) && element.getClientRects().length > 0,
  );
  const [message] = found;
  if (message === undefined) return 'not there';
  if (found.length > 1) return `there ${found.length} times`;
  if (message.closest('[role=status], [role=alert], [aria-live]') === null) return 'not announced';
  const { left, top, width, height } = message.getBoundingClientRect();
  const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
  if (onTop === null) return 'outside the window';
  return message === onTop || message.contains(onTop) || onTop.contains(message) ? 'readable' : 'covered';
}

/** Runs in the page. */
function isInMiddle(alt: string): boolean {
  const [x, y] = [window.innerWidth / 2, window.innerHeight / 2];
  return document
    .elementsFromPoint(x, y)
    .some((element) => element instanceof HTMLImageElement && element.alt.startsWith(alt) && element.naturalWidth > 0);
}
