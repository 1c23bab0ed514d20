import { t } from '@lingui/core/macro';
import { useEffect, useMemo, useState } from 'react';
import { Lightbox } from '../../ui/Lightbox';
import { renditionSize } from '../../platform/renditions';
import { Icon } from '../../ui/Icon';
import { Button } from '../Button';
import { photoName } from '../photoName';
import { DownloadButton } from '../downloads/DownloadButton';
import { PhotoMenu } from '../downloads/PhotoMenu';
import { shortName } from '../downloads/fileNames';
import { type Match, matchId } from '../search/matches';
import { HeartButton } from '../hearts/HeartButton';
import styles from './MatchLightbox.module.css';
import type { Action } from './ActionSheet';
import { albumNames } from './albums';
import { useShownPhotos } from './shownPhotos';

export interface MatchLightboxProps {
  /** The id of the initial photo. */
  startId: string;
  /** The links of the images that the tiles have loaded, by id: they are in the cache. */
  loaded?: ReadonlyMap<string, string>;
  onHeart: (match: Match) => void;
  /** What can be done with a photo besides saving it. */
  actionsOf: (match: Match) => readonly Action[];
  /** A photo is in sight. */
  onShow: (id: string) => void;
  onClose: () => void;
}

const noneLoaded: ReadonlyMap<string, string> = new Map();

/** The lightbox of the guest's photos, with a download button where they can be saved. */
export default function MatchLightbox({
  startId,
  loaded = noneLoaded,
  onHeart,
  actionsOf,
  onShow,
  onClose,
}: MatchLightboxProps) {
  const { label, matches, albums, total, downloads, heartedIds } = useShownPhotos();
  const indexOf = (id: string) => matches.findIndex((match) => matchId(match) === id);
  const [current, setCurrent] = useState(() => ({ id: startId, index: indexOf(startId) }));
  // The next photo takes the place of one that was taken out.
  const known = indexOf(current.id);
  const index = known >= 0 ? known : Math.min(current.index, matches.length - 1);
  const position = index + 1;
  const match = matches[index];
  const currentId = match === undefined ? current.id : matchId(match);
  useEffect(() => onShow(currentId), [onShow, currentId]);
  const actions = match === undefined ? [] : actionsOf(match);
  const saves = downloads.offered !== 'none';
  const empty = matches.length === 0;
  useEffect(() => {
    if (empty) onClose();
  }, [empty, onClose]);
  const photos = useMemo(
    () =>
      matches.map((each, at) => ({
        id: matchId(each),
        url: each.url ?? each.thumbnail_url ?? '',
        alt: photoName(at + 1, total, albumNames(albums, each), each.captured_at),
        placeholder: loaded.get(matchId(each)) ?? each.thumbnail_url,
        color: each.color,
        ...renditionSize(each, 'preview'),
      })),
    [matches, albums, loaded, total],
  );
  return (
    <Lightbox
      label={label}
      photos={photos}
      currentId={currentId}
      onChange={(id) => setCurrent({ id, index: indexOf(id) })}
      onClose={onClose}
      caption={
        <div className={styles['position']}>
          <span aria-hidden="true">{t`${position} of ${total}`}</span>
          {match !== undefined && <span className={styles['name']}>{shortName(match)}</span>}
        </div>
      }
      toolbarButtons={
        match === undefined
          ? []
          : [
              downloads.bulk.phase === 'ready' && (
                <Button
                  key="share"
                  look="filled"
                  disabled={downloads.bulk.pending}
                  onClick={() => downloads.share(matches)}
                >
                  <Icon name="share" />
                  {downloads.method === 'share' ? t`Save to Photos` : t`Share`}
                </Button>
              ),
              match.photo_id !== null && match.s3_key !== null && (
                <HeartButton
                  key="heart"
                  position={position}
                  on={heartedIds.has(currentId)}
                  onToggle={() => onHeart(match)}
                />
              ),
              (saves || actions.length > 0) && (
                <PhotoMenu
                  key="menu"
                  match={match}
                  position={position}
                  downloads={downloads}
                  others={actions}
                />
              ),
              saves && (
                <DownloadButton
                  key="download"
                  position={position}
                  state={downloads.states[currentId]}
                  saved={downloads.saved.has(currentId)}
                  onDownload={() => downloads.download(match, position)}
                  onCancel={() => downloads.cancel(match)}
                />
              ),
            ]
      }
    />
  );
}
