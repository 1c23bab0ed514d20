import { type Page } from '@playwright/test';

/** Draws one finger across the middle of the window, by so many pixels to the right and down. */
export async function swipe(page: Page, right: number, down = 0): Promise<void> {
  const inspector = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const touch = (type: 'touchStart' | 'touchMove', share: number) =>
    inspector.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [{ x: width / 2 + right * (share - 0.5), y: height / 2 + down * (share - 0.5) }],
    });
  const steps = 10;
  await touch('touchStart', 0);
  for (let step = 1; step <= steps; step += 1) await touch('touchMove', step / steps);
  await inspector.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await inspector.detach();
}
