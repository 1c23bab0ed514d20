/** How fast a batch moves, told from samples of what was sent. */

export interface Sample {
  /** Milliseconds. */
  at: number;
  /** Bytes sent since the batch began. */
  bytes: number;
}

const window = 20_000;
const least = 1500;

/** Adds a sample and lets go of those that are too old to say anything about now. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  return [...samples.filter(({ at }) => sample.at - at <= window), sample];
}

/** Bytes per second over the last 20 s; null until there is enough to tell. */
export function bytesPerSecond(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < least) return null;
  const moved = last.bytes - first.bytes;
  return moved <= 0 ? null : (moved * 1000) / (last.at - first.at);
}

/** Seconds until `bytesLeft` are sent at the present pace; null when nobody can tell. */
export function secondsLeft(samples: readonly Sample[], bytesLeft: number): number | null {
  const pace = bytesPerSecond(samples);
  return pace === null ? null : bytesLeft / pace;
}
