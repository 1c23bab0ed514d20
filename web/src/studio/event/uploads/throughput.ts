/** How fast something gets on, from samples of what is done. */

export interface Sample {
  /** Milliseconds. */
  at: number;
  /** Bytes, or photos, since the start. */
  done: number;
}

const windowLength = 20_000;
const minDuration = 1500;

/** Adds a sample and drops those that are older than the window, in milliseconds. */
export function addSample(samples: readonly Sample[], sample: Sample, length = windowLength): Sample[] {
  return [...samples.filter(({ at }) => sample.at - at <= length), sample];
}

/** What is done in a second, over the samples; null until there are enough. */
export function perSecond(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < minDuration) return null;
  const moved = last.done - first.done;
  return moved <= 0 ? null : (moved * 1000) / (last.at - first.at);
}

/** Seconds until what is `left` is done at the current throughput; null if that is unknown. */
export function secondsLeft(samples: readonly Sample[], left: number): number | null {
  const throughput = perSecond(samples);
  return throughput === null ? null : left / throughput;
}
