import { putMark } from './calls';
import { MarkSaver } from './markSaver';

/** Those of this document, by what the addresses end with: another language makes the page anew, and what is unsaved stays. */
const savers = new Map<string, MarkSaver>();

/** What saves the marks of a selection. */
export function saverOf(secret: string): MarkSaver {
  const known = savers.get(secret);
  if (known !== undefined) return known;
  const saver = new MarkSaver((photo, mark) => putMark(secret, photo, mark));
  savers.set(secret, saver);
  return saver;
}
