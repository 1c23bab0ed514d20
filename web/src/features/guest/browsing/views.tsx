import type { ComponentType } from 'react';
import { Imported } from '../Imported';
import type { BrowsingProps } from './AllPhotos';

const importButton = async () => (await import('./start')).importBrowseButton();

/** The view of all photos; null while it is closed. */
export type BrowsingView = ComponentType<BrowsingProps> | null;

/** The way to all photos: a quiet button, which loads their view. */
export const BrowseButton = (props: { onShow: (view: BrowsingView) => void }) => (
  <Imported from={importButton} props={props} />
);
