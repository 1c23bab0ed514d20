import { type CDPSession, type Page } from '@playwright/test';

/** Bytes a second and milliseconds as Chromium's own 'Slow 4G' has them. */
const SLOW_4G = { offline: false, downloadThroughput: 204_800, uploadThroughput: 96_000, latency: 150 };

/** Emulates a slow network, and a processor that many times slower. */
export async function emulateSlowDevice(page: Page, cpu: number, network = SLOW_4G): Promise<CDPSession> {
  const inspector = await page.context().newCDPSession(page);
  await inspector.send('Network.enable');
  await inspector.send('Network.emulateNetworkConditions', network);
  await inspector.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  return inspector;
}

/** The page's network, which can be made slow or taken away. */
export async function networkOf(page: Page) {
  const inspector = await page.context().newCDPSession(page);
  const be = (offline: boolean, uploadThroughput: number) =>
    inspector.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  return {
    /** Sends no more than this many bytes a second. */
    throttle: (bytesPerSecond: number) => be(false, bytesPerSecond),
    disconnect: () => be(true, -1),
    restore: () => be(false, -1),
  };
}

/** What a browser measures of a page: milliseconds to its largest paint, and how far its content jumped. */
export interface Vitals {
  largestPaint: number;
  layoutShift: number;
}

/** Watches a page from its start; to be called before it is opened. */
export async function watchVitals(page: Page): Promise<() => Promise<Vitals>> {
  await page.addInitScript(() => {
    const vitals = { largestPaint: 0, layoutShift: 0 };
    Object.assign(window, { vitals });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) vitals.largestPaint = entry.startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) vitals.layoutShift += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals);
}
