import { expect, type Page } from '@playwright/test';

/** The numbers of the progress: photos of this page's batch that have an end, and all of them. */
export async function counts(page: Page): Promise<{ done: number; total: number }> {
  // With its line breaks, which separate the numbers.
  const text = await page.getByRole('region', { name: 'Progress' }).innerText();
  const [, done = '0', total = '0'] = /^([\d,]+) of ([\d,]+)$/m.exec(text) ?? [];
  return { done: Number(done.replaceAll(',', '')), total: Number(total.replaceAll(',', '')) };
}

export const untilNothingRuns = (page: Page) =>
  expect
    .poll(
      async () => {
        const { done, total } = await counts(page);
        return total - done;
      },
      { timeout: 300_000 },
    )
    .toBe(0);
