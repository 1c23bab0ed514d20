import { describe, expect, it } from 'vitest';
import { couldMatch } from './couldMatch';

const isPossible = (selector: string, element: Element) =>
  couldMatch(selector, element.localName, element.getAttribute('class') ?? '');

describe('what could match a selector', () => {
  it('includes every element that does', () => {
    document.body.innerHTML = `
      <main class="page wide"><ul id="list" title="a, b (c] .d"><li class="a"></li><li class="a  b-1"></li></ul></main>
      <dialog open class="sheet"><button disabled data-value='.x'>Close</button><svg class="icon"><path/></svg></dialog>`;
    const elements = [...document.querySelectorAll('*')];
    for (const selector of [
      '*',
      'li',
      '.a',
      '.a.b-1',
      '.page .a',
      'main>ul > li',
      'li+li, dialog',
      'li ~ li.b-1',
      '#list',
      'ul#list',
      '[title="a, b (c] .d"]',
      'ul[title*="(c] .d"] > .a',
      '[data-value=".x"]',
      'button:disabled',
      'li:not(.b-1, .c)',
      'li:not(.b-1):first-child',
      ':is(.a, .sheet)',
      'dialog:has(> button)',
      '.page:has(.b-1) li',
      'li:nth-child(2n + 2)',
      'svg.icon > path',
      '.b\\-1',
      ' .a , .sheet ',
      ':root',
      'html:has(dialog) body',
    ]) {
      const matching = elements.filter((element) => element.matches(selector));
      expect(matching, selector).not.toEqual([]);
      for (const element of matching) expect(isPossible(selector, element), selector).toBe(true);
    }
  });

  it('excludes elements without the names that the selector asks of them', () => {
    document.body.innerHTML = '<p class="note"><b></b></p>';
    const [note] = document.getElementsByTagName('p');
    if (note === undefined) throw new Error('no note');
    for (const selector of [
      'b',
      '.page',
      '.note.page',
      'p b',
      'html:has(.note)',
      '.note > .page:not(.note), a',
    ]) {
      expect(isPossible(selector, note), selector).toBe(false);
    }
  });
});
