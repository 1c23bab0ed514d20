import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

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
      expect.soft(await violations(page), here).toEqual([]);
    }
  }
}

/** What axe finds, each as its rule and where. */
async function violations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    interface Violation {
      id: string;
      nodes: { html: string }[];
    }
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    const found = (await axe.run()).violations;
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(', ')}`);
  });
}
