/** Notices transfers that stand still: a browser waits for a dead line for many minutes. */

export interface Watchdog {
  /** Something has moved; `complete`: all of it has, and the answer is awaited. */
  feed: (complete: boolean) => void;
  stop: () => void;
}

/** Milliseconds for an answer once everything is sent; the server's own limit is five minutes. */
export const answerLimit = 330_000;

/** Calls `onStall` once when nothing has moved for `limit` milliseconds. Begins with the first `feed`. */
export function createWatchdog(limit: number, onStall: () => void): Watchdog {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    feed(complete) {
      clearTimeout(timer);
      timer = setTimeout(onStall, complete ? answerLimit : limit);
    },
    stop: () => clearTimeout(timer),
  };
}
