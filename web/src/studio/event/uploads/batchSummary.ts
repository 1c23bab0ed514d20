import { plural, t } from '@lingui/core/macro';
import { formatCount } from '../../../platform/formats';
import type { QueueStats } from './queueStats';

function uploadedText(uploaded: number, stats: QueueStats): string {
  const there = formatCount(stats.duplicates);
  const failed = formatCount(stats.failed);
  if (stats.duplicates === 0)
    return stats.failed === 0
      ? plural(uploaded, { one: '# photo uploaded.', other: '# photos uploaded.' })
      : plural(uploaded, {
          one: `# photo uploaded, ${failed} failed.`,
          other: `# photos uploaded, ${failed} failed.`,
        });
  return stats.failed === 0
    ? plural(uploaded, {
        one: `# photo uploaded, ${there} already there.`,
        other: `# photos uploaded, ${there} already there.`,
      })
    : plural(uploaded, {
        one: `# photo uploaded, ${there} already there, ${failed} failed.`,
        other: `# photos uploaded, ${there} already there, ${failed} failed.`,
      });
}

/** The outcome of a finished batch in one sentence. */
export function summaryOf(stats: QueueStats): string {
  const { completed, duplicates } = stats;
  const uploaded = completed - duplicates;
  if (uploaded > 0 || duplicates === 0) return uploadedText(uploaded, stats);
  if (stats.failed === 0)
    return plural(duplicates, { one: '# photo already there.', other: '# photos already there.' });
  const failed = formatCount(stats.failed);
  return plural(duplicates, {
    one: `# photo already there, ${failed} failed.`,
    other: `# photos already there, ${failed} failed.`,
  });
}

/** The banner after a batch without failures. */
export const successText = ({ completed, duplicates }: QueueStats): string =>
  duplicates > 0 && duplicates === completed
    ? t`All photos were there already, free of charge.`
    : t`All photos are uploaded.`;
