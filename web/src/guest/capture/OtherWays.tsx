import type { PublicEvent } from '../../platform/api/types';
import { importAddPhotos } from '../adding/start';
import type { BrowsingView } from '../browsing/AllPhotos';
import { importAllPhotos, importBrowseButton } from '../browsing/start';
import { type ComingEvent, importComing, saysWhatComes } from '../coming/start';
import { Imported } from '../Imported';
import type { KnownSelfie } from '../objections/RemovalSheet';
import type { ReadAccess } from '../adding/ownPhotos';
import { importRemoveMe } from '../objections/start';

/** What a guest can do besides searching. */
export default function OtherWays({
  slug,
  event,
  adds,
  selfie = null,
  onBrowse,
}: {
  slug: string;
  /** When the photos go, and whether more are coming. */
  event: Pick<PublicEvent, 'expires_at'> & ComingEvent;
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
      {saysWhatComes(event) && <Imported from={importComing} props={{ event }} />}
      {adds !== undefined && <Imported from={importAddPhotos} props={{ slug, readAccess: adds }} />}
      <Imported from={importRemoveMe} props={{ slug, until: event.expires_at, selfie }} />
    </>
  );
}
