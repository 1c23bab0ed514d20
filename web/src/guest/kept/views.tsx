import type { ComponentProps } from 'react';
import { Imported } from '../Imported';
import type KeepPhotosView from './KeepPhotos';

const importKeepPhotos = async () => (await import('./start')).importKeepPhotos();

/** The ways to come back to one's photos. */
export const KeepPhotos = (props: ComponentProps<typeof KeepPhotosView>) => (
  <Imported from={importKeepPhotos} props={props} />
);
