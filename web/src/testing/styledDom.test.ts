import { beforeEach, expect, it } from 'vitest';

beforeEach(() => {
  document.head.innerHTML = `<style>
    .hidden { display: none }
    .quiet { visibility: hidden }
    section:has(.red) { color: red }
    @font-face { font-family: Sans; src: url(sans.woff2) }
  </style>`;
  document.body.innerHTML = '<section><p class="hidden">A text</p></section>';
});

const section = () => document.getElementsByTagName('section')[0] ?? document.body;
const text = () => document.getElementsByTagName('p')[0] ?? document.body;

it('computes a style once while the document stays as it is', () => {
  expect(getComputedStyle(text())).toBe(getComputedStyle(text()));
  expect(document.defaultView?.getComputedStyle(text())).toBe(getComputedStyle(text()));
  expect(getComputedStyle(text()).display).toBe('none');
});

it('computes it anew after a change of the element, of what is around it, and of the style sheets', () => {
  text().className = '';
  expect(getComputedStyle(text()).display).toBe('block');
  section().className = 'quiet';
  expect(getComputedStyle(text()).visibility).toBe('hidden');
  text().className = 'red';
  expect(getComputedStyle(section()).color).toBe('rgb(255, 0, 0)');
  document.head.append(
    Object.assign(document.createElement('style'), { textContent: 'p { display: flex }' }),
  );
  expect(getComputedStyle(text()).display).toBe('flex');
});

it('computes it each time for an element outside of the document, whose changes jsdom does not follow', () => {
  const outside = document.createElement('p');
  expect(getComputedStyle(outside)).not.toBe(getComputedStyle(outside));
});
