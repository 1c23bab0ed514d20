import { Imported } from './Imported';
import type { LinkedPage } from './linkedPage';

const importPage = async () => (await import('./linkedPages')).importLinkedPage();

/** What the document shows in the place of an event's page. */
export const LinkedPageView = (props: { slug: string; link: LinkedPage }) => (
  <Imported from={importPage} props={props} />
);
