import { expect, type Page } from '@playwright/test';

/** Milliseconds of real time for the page's work between two steps of its clock. */
const WORK = 25;

/**
 * The clock of a page, in the test's hands.
 *
 * Playwright's clock has the timers, dates and frames of the page. The time limits of its network are the browser's
 * own; they are put on the same clock here.
 */
export class Clock {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Time runs as ever until it is stopped. To be called before the page is opened. */
  static async take(page: Page): Promise<Clock> {
    await page.clock.install();
    await page.addInitScript(putLimitsOnClock);
    return new Clock(page);
  }

  /** Milliseconds since the epoch, as the page has it. */
  now(): Promise<number> {
    return this.#page.evaluate(() => Date.now());
  }

  /** From now on time passes only when the test lets it. */
  async stop(): Promise<void> {
    // It can be stopped ahead only, and a busy machine takes its time from the one call to the other.
    await this.#page.clock.pauseAt((await this.now()) + 5000);
  }

  /** Lets time pass, with all that falls due in it. */
  async pass(milliseconds: number): Promise<void> {
    await this.#page.clock.runFor(milliseconds);
  }

  /** Lets time pass in small steps until something has come to be; answers when that was. */
  async until(what: () => boolean | Promise<boolean>): Promise<number> {
    const step = async () => {
      if (await what()) return true;
      await this.pass(5);
      // What follows from a timer is work of the page, for which its clock stands: without this a busy machine is late.
      await new Promise((resolve) => setTimeout(resolve, WORK));
      return false;
    };
    await expect.poll(step, { intervals: [5], timeout: 60_000, message: String(what) }).toBe(true);
    return this.now();
  }
}

/** `AbortSignal.timeout` and the `timeout` of `XMLHttpRequest`, by the page's `setTimeout`. */
function putLimitsOnClock(): void {
  AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController();
    const reason = new DOMException('The time is over.', 'TimeoutError');
    setTimeout(() => controller.abort(reason), milliseconds);
    return controller.signal;
  };
  const limits = new WeakMap<XMLHttpRequest, number>();
  Object.defineProperty(XMLHttpRequest.prototype, 'timeout', {
    get(this: XMLHttpRequest) {
      return limits.get(this) ?? 0;
    },
    set(this: XMLHttpRequest, milliseconds: number) {
      limits.set(this, milliseconds);
    },
  });
  const send = Reflect.get(XMLHttpRequest.prototype, 'send');
  XMLHttpRequest.prototype.send = function (this: XMLHttpRequest, body) {
    const limit = limits.get(this) ?? 0;
    if (limit > 0) {
      const timer = setTimeout(() => {
        // As the standard has it: the transfer ends, and who listens hears of the time, not of an abort.
        this.onabort = null;
        this.abort();
        this.ontimeout?.(new ProgressEvent('timeout'));
      }, limit);
      this.addEventListener('loadend', () => clearTimeout(timer));
    }
    send.call(this, body);
  };
}
