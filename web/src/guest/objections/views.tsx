import type { ComponentProps } from 'react';
import { Imported } from '../Imported';
import type RemoveMeView from './RemoveMe';

const importRemoveMe = async () => (await import('./start')).importRemoveMe();

/** The way to be removed from the photos. */
export const RemoveMe = (props: ComponentProps<typeof RemoveMeView>) => (
  <Imported from={importRemoveMe} props={props} />
);
