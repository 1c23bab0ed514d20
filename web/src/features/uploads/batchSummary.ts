import { formatCount } from '../../shared/formats';
import type { QueueStats } from './queueStats';

const formatPhotoCount = (count: number) => `${formatCount(count)} ${count === 1 ? 'photo' : 'photos'}`;

/** The outcome of a finished batch in one sentence. */
export function summaryOf({ completed, failed, duplicates }: QueueStats): string {
  const uploaded = completed - duplicates;
  const parts = uploaded > 0 || duplicates === 0 ? [`${formatPhotoCount(uploaded)} uploaded`] : [];
  if (duplicates > 0) {
    parts.push(
      `${parts.length === 0 ? formatPhotoCount(duplicates) : formatCount(duplicates)} already there`,
    );
  }
  if (failed > 0) parts.push(`${formatCount(failed)} failed`);
  return `${parts.join(', ')}.`;
}

/** The banner after a batch without failures. */
export const successText = ({ completed, duplicates }: QueueStats): string =>
  duplicates > 0 && duplicates === completed
    ? 'All photos were there already, free of charge.'
    : 'All photos are uploaded.';
