import type { BrowsingView } from '../browsing/AllPhotos';
import { importAllPhotos, importBrowseButton } from '../browsing/start';
import { Imported } from '../Imported';
import type { KnownSelfie } from '../objections/RemovalSheet';
import { importRemoveMe } from '../objections/start';

/** What a guest can do besides searching. */
export default function OtherWays({
  slug,
  until,
  selfie = null,
  onBrowse,
}: {
  slug: string;
  /** When the photos go. */
  until: string | null | undefined;
  /** With which the guest has searched. */
  selfie?: KnownSelfie | null;
  /** Shows all photos; undefined where guests see only those that they are in. */
  onBrowse: ((view: BrowsingView) => void) | undefined;
}) {
  return (
    <>
      {onBrowse !== undefined && (
        <Imported from={importBrowseButton} props={{ load: importAllPhotos, onShow: onBrowse }} />
      )}
      <Imported from={importRemoveMe} props={{ slug, until, selfie }} />
    </>
  );
}
