/** The throughput of a batch, from samples of the bytes sent. */

export interface Sample {
  /** Milliseconds. */
  at: number;
  /** Bytes sent since the start of the batch. */
  bytes: number;
}

const windowLength = 20_000;
const minDuration = 1500;

/** Adds a sample and drops those that are older than the window. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  return [...samples.filter(({ at }) => sample.at - at <= windowLength), sample];
}

/** Bytes per second over the last 20 s; null until there are enough samples. */
export function bytesPerSecond(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < minDuration) return null;
  const moved = last.bytes - first.bytes;
  return moved <= 0 ? null : (moved * 1000) / (last.at - first.at);
}

/** Seconds until `bytesLeft` are sent at the current throughput; null if that is unknown. */
export function secondsLeft(samples: readonly Sample[], bytesLeft: number): number | null {
  const throughput = bytesPerSecond(samples);
  return throughput === null ? null : bytesLeft / throughput;
}
