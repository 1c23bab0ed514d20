import { type Page } from '@playwright/test';
import { expect } from './fixtures';

/**
 * The texts that are not wholly in sight: beyond the sides of the window, larger than the box that clips them, or with a
 * word that goes on in the next line. What scrolls sideways shows the rest when it is asked to.
 */
const cutOffTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '';
    const hidden = (element: Element) => getComputedStyle(element).clipPath.startsWith('inset');
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    const inScroller = (element: Element) => {
      for (let box: Element | null = element; box !== null && box !== document.body; box = box.parentElement)
        if (scrolls(box)) return true;
      return false;
    };
    const boxOf = (node: Node, from: number, to: number) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      return range;
    };
    /** A word is broken when its parts lie below each other; at a hyphen that may be. */
    const isBroken = (text: Text) =>
      [...text.data.matchAll(/[^\s\u00ad\u200b–—/-]+/gu)].some(({ index, 0: word }) => {
        const parts = [...boxOf(text, index, index + word.length).getClientRects()].filter(({ width }) => width > 0.5);
        const tops = parts.map(({ top }) => top);
        return Math.max(...tops) - Math.min(...tops) > (parts[0]?.height ?? 0) * 0.6;
      });
    const cut = [...document.body.querySelectorAll('*')].filter((element) => {
      if (element.closest('[hidden], [aria-hidden=true], script, style, option') !== null) return false;
      const texts = [...element.childNodes].filter(isText);
      if (texts.length === 0 || hidden(element) || inScroller(element)) return false;
      const text = boxOf(element, 0, element.childNodes.length).getBoundingClientRect();
      if (text.width === 0 || text.height === 0 || text.bottom < 0) return false;
      if (text.left < -0.5 || text.right > document.documentElement.clientWidth + 0.5) return true;
      for (let box: Element | null = element; box !== null && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        const { left, right } = box.getBoundingClientRect();
        if (style.overflowX !== 'visible' && (text.left < left - 1 || text.right > right + 1)) return true;
        if (box.matches('button, a') && box.scrollHeight > box.clientHeight + 1) return true;
      }
      return texts.some(isBroken);
    });
    return cut.map((element) => element.textContent);
  });

/** Nothing of the page is cut off, whatever its language. */
export async function nothingIsCutOff(page: Page, view: string): Promise<void> {
  await expect.poll(() => cutOffTexts(page), { message: view }).toEqual([]);
}
