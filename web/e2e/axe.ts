import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

/** The rules of axe that read colours; what the others find is in the document, which is the same in both themes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Looks at what a page shows now on a phone and on a desk, in both themes: axe finds nothing, nothing scrolls sideways. */
export async function examine(page: Page, name: string): Promise<void> {
  // Through the inspector, because the page's own policy allows no foreign script.
  await page.evaluate(AXE);
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const here = `${name}, ${viewport.width} px, ${colorScheme}`;
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect.soft(overflow, `${here} scrolls sideways`).toBeLessThanOrEqual(0);
      expect.soft(await violations(page, colorScheme === 'light' ? null : COLOUR_RULES), here).toEqual([]);
    }
  }
}

/** What axe finds, each as its rule and where; by these rules, or by all. */
async function violations(page: Page, rules: readonly string[] | null): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    interface Violation {
      id: string;
      nodes: { html: string }[];
    }
    interface Axe {
      run(options: object): Promise<{ violations: Violation[] }>;
    }
    const { axe } = window as unknown as { axe: Axe };
    // Where rules pass is not asked for.
    const options = { resultTypes: ['violations'], ...(runOnly !== null && { runOnly }) };
    const found = (await axe.run(options)).violations;
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(', ')}`);
  }, rules);
}
