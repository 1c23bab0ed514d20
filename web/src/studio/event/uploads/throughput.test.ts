import { describe, expect, it } from 'vitest';
import { addSample, perSecond, type Sample, secondsLeft } from './throughput';

const samples = (...pairs: [number, number][]): Sample[] =>
  pairs.reduce<Sample[]>((all, [at, done]) => addSample(all, { at, done }), []);

describe('the throughput of a batch', () => {
  it('is unknown until there are enough samples', () => {
    expect(perSecond([])).toBeNull();
    expect(perSecond(samples([0, 0], [1000, 500]))).toBeNull();
    expect(perSecond(samples([0, 500], [5000, 500]))).toBeNull();
  });

  it('uses the last 20 seconds only', () => {
    expect(perSecond(samples([0, 0], [4000, 8000]))).toBe(2000);
    expect(perSecond(samples([0, 0], [30_000, 1_000], [34_000, 9_000]))).toBe(2000);
  });

  it('gives the remaining time', () => {
    expect(secondsLeft(samples([0, 0], [4000, 8000]), 60_000)).toBe(30);
    expect(secondsLeft([], 60_000)).toBeNull();
  });
});
