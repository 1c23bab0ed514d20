/** The pages that the document shows in the place of an event's, which few who open it need. */
import type { ComponentType } from 'react';
import { type LinkedPage, linkedPageOf } from './linkedPage';

interface Imported {
  default: ComponentType<{ slug: string; link: LinkedPage }>;
}

/** Imports the page of the address. */
export const importLinkedPage = async (): Promise<Imported> =>
  linkedPageOf(window.location)?.action === 'selection'
    ? (await import('./clientSelections/start')).importSelectionPage()
    : ((await (await import('./subscriptions/start')).importMailedLinkPage()) as Imported);
