import { useMemo, useState } from 'react';
import { Viewer } from '../../shared/components/Viewer';
import { DownloadDisc } from './DownloadDisc';
import { idOf, type Match } from './matches';
import type { Downloads } from './useDownloads';

export interface PhotoViewerProps {
  matches: readonly Match[];
  /** Id of the photo to begin with. */
  startId: string;
  downloads: Downloads;
  onClose: () => void;
}

/** The guest's photos, one at a time, each with its download. */
export default function PhotoViewer({ matches, startId, downloads, onClose }: PhotoViewerProps) {
  const [shownId, setShownId] = useState(startId);
  const place = matches.findIndex((match) => idOf(match) === shownId) + 1;
  const match = matches[place - 1];
  const photos = useMemo(
    () =>
      matches.map((each, at) => ({
        id: idOf(each),
        url: each.url ?? each.thumbnail_url ?? '',
        alt: `Photo ${at + 1} of ${matches.length}`,
        width: each.width,
        height: each.height,
      })),
    [matches],
  );
  return (
    <Viewer
      photos={photos}
      shownId={shownId}
      onShow={setShownId}
      onClose={onClose}
      tool={
        match !== undefined && (
          <DownloadDisc
            key="download"
            place={place}
            state={downloads.states[shownId]}
            saved={downloads.saved.has(shownId)}
            onDownload={() => downloads.download(match, place)}
            onCancel={() => downloads.cancel(match)}
          />
        )
      }
    />
  );
}
