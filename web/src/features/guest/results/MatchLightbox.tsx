import { useMemo, useState } from 'react';
import { Lightbox } from '../../../shared/components/Lightbox';
import { DownloadButton } from '../saving/DownloadButton';
import type { Downloads } from '../saving/useDownloads';
import { type Match, matchId } from '../search/matches';

export interface MatchLightboxProps {
  matches: readonly Match[];
  /** The id of the initial photo. */
  startId: string;
  downloads: Downloads;
  onClose: () => void;
}

/** The lightbox of the guest's photos, with a download button. */
export default function MatchLightbox({ matches, startId, downloads, onClose }: MatchLightboxProps) {
  const [currentId, setCurrentId] = useState(startId);
  const position = matches.findIndex((match) => matchId(match) === currentId) + 1;
  const match = matches[position - 1];
  const photos = useMemo(
    () =>
      matches.map((each, at) => ({
        id: matchId(each),
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
      toolbarButtons={
        match === undefined
          ? []
          : [
              <DownloadButton
                key="download"
                position={position}
                state={downloads.states[currentId]}
                saved={downloads.saved.has(currentId)}
                onDownload={() => downloads.download(match, position)}
                onCancel={() => downloads.cancel(match)}
              />,
            ]
      }
    />
  );
}
