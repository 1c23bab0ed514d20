import { formatCount } from '../../shared/formats';
import type { QueueStats } from './queueStats';

const formatPhotoCount = (count: number) => `${formatCount(count)} ${count === 1 ? 'photo' : 'photos'}`;

/** The outcome of a finished batch in one sentence. */
export function summaryOf({ completed, failed, duplicates }: QueueStats): string {
  const parts = [`${formatPhotoCount(completed)} uploaded`];
  if (duplicates > 0) parts.push(`${formatCount(duplicates)} of them already there`);
  if (failed > 0) parts.push(`${formatCount(failed)} failed`);
  return `${parts.join(', ')}.`;
}
