import { isUnfinished, type Queue, type QueueItem, unfinishedFiles } from './queue';
import { versionState } from './versions';

/** What holds the queue up, and what it costs. */

/** Whether an earlier batch has uploaded the file, and nothing says that it is gone. */
export const isExpectedThere = ({ uploadedBefore, awaitsLookup, status }: QueueItem): boolean =>
  uploadedBefore && awaitsLookup && status === 'pending';

const isFree = (item: QueueItem): boolean =>
  isExpectedThere(item) || (isUnfinished(item) && item.replaces === true && item.version?.free === true);

/** How many of these files cost a credit at most: an edited version that takes a photo's place may be free. */
export const filesToPay = (queue: Queue): number =>
  unfinishedFiles(queue) - queue.items.filter(isFree).length;

/** Whether the photographer has to say which files are edited versions. */
export const asksForVersions = (queue: Queue): boolean => versionState(queue).undecided.length > 0;

/** Whether nothing is started until the photographer says so. */
export const isStopped = (queue: Queue): boolean =>
  queue.paused || queue.outOfCredit || queue.overCredit || asksForVersions(queue);
