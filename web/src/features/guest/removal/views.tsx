import { Imported } from '../Imported';

const importRemoveMe = async () => (await import('./start')).importRemoveMe();

/** The way to be removed from the photos. */
export const RemoveMe = (props: { slug: string; onRemoved?: () => void }) => (
  <Imported from={importRemoveMe} props={props} />
);
