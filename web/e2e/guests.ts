import { expect, type Page } from '@playwright/test';
import { type Event } from './accounts';
import { picture } from './pictures';

export async function openEvent(page: Page, event: Event): Promise<void> {
  await page.goto(`/event/${event.slug}`);
  await expect(page.getByRole('heading', { name: 'Find Your Photos' })).toBeVisible();
}

/** Gives the page a picture in place of a selfie, and with it begins the search. */
export const chooseSelfie = (
  page: Page,
  file: Parameters<ReturnType<Page['getByLabel']>['setInputFiles']>[0] = picture('obama.jpg'),
) => page.getByLabel('upload a photo').setInputFiles(file);

/** Waits until the page has scrolled to its results, which it does half a second after they came: a click meanwhile misses. */
export async function hasScrolledToResults(page: Page): Promise<void> {
  await page.waitForTimeout(700);
  const isStill = async () => {
    const before = await page.evaluate(() => window.scrollY);
    await page.waitForTimeout(100);
    return (await page.evaluate(() => window.scrollY)) === before;
  };
  await expect.poll(isStill).toBe(true);
}

/** Opens the event and searches it, to the photos that were found. */
export async function findPhotos(page: Page, event: Event): Promise<void> {
  await openEvent(page, event);
  await chooseSelfie(page);
  await expect(page.getByText(`2 from ${event.name}`)).toBeVisible({ timeout: 60_000 });
}
