import { useMemo, useState } from 'react';
import { Lightbox } from '../../../shared/components/Lightbox';
import { renditionSize } from '../../../shared/renditions';
import { DownloadButton } from '../saving/DownloadButton';
import type { Downloads } from '../saving/useDownloads';
import { type Match, matchId } from '../search/matches';
import styles from './MatchLightbox.module.css';

export interface MatchLightboxProps {
  matches: readonly Match[];
  /** The id of the initial photo. */
  startId: string;
  /** The links of the images that the tiles show, by id: they are in the cache. */
  shown?: ReadonlyMap<string, string>;
  downloads: Downloads;
  /** Called with the id of the photo that was open last. */
  onClose: (id: string) => void;
}

const noneShown: ReadonlyMap<string, string> = new Map();

/** The lightbox of the guest's photos, with a download button. */
export default function MatchLightbox({
  matches,
  startId,
  shown = noneShown,
  downloads,
  onClose,
}: MatchLightboxProps) {
  const [currentId, setCurrentId] = useState(startId);
  const position = matches.findIndex((match) => matchId(match) === currentId) + 1;
  const match = matches[position - 1];
  const photos = useMemo(
    () =>
      matches.map((each, at) => ({
        id: matchId(each),
        url: each.url ?? each.thumbnail_url ?? '',
        alt: `Photo ${at + 1} of ${matches.length}`,
        placeholder: shown.get(matchId(each)) ?? each.thumbnail_url,
        color: each.color,
        ...renditionSize(each, 'preview'),
      })),
    [matches, shown],
  );
  return (
    <Lightbox
      label="Your Matched Photos"
      photos={photos}
      currentId={currentId}
      onChange={setCurrentId}
      onClose={() => onClose(currentId)}
      caption={
        <div className={styles['position']} aria-hidden="true">
          {position} of {matches.length}
        </div>
      }
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
