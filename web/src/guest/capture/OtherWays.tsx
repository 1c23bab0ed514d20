import { importAddPhotos } from '../adding/start';
import type { BrowsingView } from '../browsing/AllPhotos';
import { importAllPhotos, importBrowseButton } from '../browsing/start';
import { Imported } from '../Imported';
import type { KnownSelfie } from '../objections/RemovalSheet';
import type { ReadAccess } from '../adding/ownPhotos';
import { importRemoveMe } from '../objections/start';

/** What a guest can do besides searching. */
export default function OtherWays({
  slug,
  until,
  adds,
  selfie = null,
  onBrowse,
}: {
  slug: string;
  /** When the photos go. */
  until: string | null | undefined;
  /** Reads what proves that the guest knows the event's PIN; undefined where guests may add no photos. */
  adds?: ReadAccess | undefined;
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
      {adds !== undefined && <Imported from={importAddPhotos} props={{ slug, readAccess: adds }} />}
      <Imported from={importRemoveMe} props={{ slug, until, selfie }} />
    </>
  );
}
