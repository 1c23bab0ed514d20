import { useMemo, useState } from 'react';
import { Lightbox } from '../../shared/components/Lightbox';
import { DownloadDisc } from './DownloadDisc';
import { idOf, type Match } from './matches';
import type { Downloads } from './useDownloads';

export interface MatchLightboxProps {
  matches: readonly Match[];
  /** Id of the photo to begin with. */
  startId: string;
  downloads: Downloads;
  onClose: () => void;
}

/** The guest's photos, one at a time, each with its download. */
export default function MatchLightbox({ matches, startId, downloads, onClose }: MatchLightboxProps) {
  const [currentId, setCurrentId] = useState(startId);
  const place = matches.findIndex((match) => idOf(match) === currentId) + 1;
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
    <Lightbox
      photos={photos}
      currentId={currentId}
      onChange={setCurrentId}
      onClose={onClose}
      toolbarButton={
        match !== undefined && (
          <DownloadDisc
            key="download"
            place={place}
            state={downloads.states[currentId]}
            saved={downloads.saved.has(currentId)}
            onDownload={() => downloads.download(match, place)}
            onCancel={() => downloads.cancel(match)}
          />
        )
      }
    />
  );
}
