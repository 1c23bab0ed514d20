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

/**
 * Puts two fingers on the window, above and below its middle, and moves them from one distance to another. They do not
 * land and lift at the same moment, and the second one to lift moves on: so do those of a hand.
 */
export async function pinch(page: Page, from: number, to: number): Promise<void> {
  const inspector = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const finger = (id: number, y: number) => ({ x: width / 2, y: height / 2 + y, id });
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: ReturnType<typeof finger>[]) =>
    inspector.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', [finger(0, -from / 2)]);
  await send('touchStart', [finger(0, -from / 2), finger(1, from / 2)]);
  const steps = 10;
  for (let step = 1; step <= steps; step += 1) {
    const distance = from + ((to - from) * step) / steps;
    await send('touchMove', [finger(0, -distance / 2), finger(1, distance / 2)]);
  }
  // The end of a touch names the fingers that were lifted.
  await send('touchEnd', [finger(1, to / 2)]);
  for (let step = 1; step <= 4; step += 1) await send('touchMove', [finger(0, -to / 2 + step * 20)]);
  await send('touchEnd', []);
  await inspector.detach();
}

/** Taps twice in the middle of the window. */
export async function doubleTap(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.touchscreen.tap(width / 2, height / 2);
  await page.touchscreen.tap(width / 2, height / 2);
}
