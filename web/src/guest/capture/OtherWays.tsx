import type { ReactNode } from 'react';
import type { PublicEvent } from '../../platform/api/types';
import { importAddPhotos } from '../adding/start';
import type { BrowsingView } from '../browsing/AllPhotos';
import { importAllPhotos, importBrowseButton } from '../browsing/start';
import { type ComingEvent, importComing, saysWhatComes } from '../coming/start';
import { Imported } from '../Imported';
import type { KnownSelfie } from '../objections/RemovalSheet';
import { importRemoveMe } from '../objections/start';
import type { Access } from '../pin/access';

/**
 * The place of a part, which comes with files of its own, in pixels. StartSheet keeps that of all of them: it cannot ask here,
 * because it is there first. What takes more lines, in a long language or with large letters, still makes its own room.
 */
const Place = ({ height, children }: { height: number; children: ReactNode }) => (
  // With its own margins inside it.
  <div style={{ display: 'flow-root', minHeight: height }}>{children}</div>
);

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
  /** What proves that the guest knows the event's PIN; undefined where guests may add no photos. */
  adds?: Access | undefined;
  /** With which the guest has searched. */
  selfie?: KnownSelfie | null;
  /** Shows all photos; undefined where guests see only those that they are in. */
  onBrowse: ((view: BrowsingView) => void) | undefined;
}) {
  return (
    <>
      {onBrowse !== undefined && (
        <Place height={44}>
          <Imported from={importBrowseButton} props={{ load: importAllPhotos, onShow: onBrowse }} />
        </Place>
      )}
      {saysWhatComes(event) && (
        <Place height={32}>
          <Imported from={importComing} props={{ event }} />
        </Place>
      )}
      {adds !== undefined && (
        <Place height={44}>
          <Imported from={importAddPhotos} props={{ slug, access: adds }} />
        </Place>
      )}
      <Place height={event.expires_at == null ? 48 : 66}>
        <Imported from={importRemoveMe} props={{ slug, until: event.expires_at, selfie }} />
      </Place>
    </>
  );
}
