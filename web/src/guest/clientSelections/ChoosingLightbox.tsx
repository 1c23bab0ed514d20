import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { renditionSize } from '../../platform/renditions';
import { Icon } from '../../ui/Icon';
import { Lightbox } from '../../ui/Lightbox';
import type { ClientPhoto } from './calls';
import { CommentSheet } from './CommentSheet';
import { ViewerMark } from './MarkButton';
import type { Mark } from './markSaver';
import styles from './selection.module.css';

export interface ChoosingLightboxProps {
  /** The id of the initial photo. */
  startId: string;
  photos: readonly ClientPhoto[];
  /** How many there are with those that are not loaded yet. */
  total: number;
  /** The links of the images that the tiles have loaded, by id: they are in the cache. */
  loaded: ReadonlyMap<string, string>;
  /** Whether something can be changed. */
  open: boolean;
  markOf: (id: string) => Mark;
  onChoose: (id: string, chosen: boolean) => void;
  onComment: (id: string, comment: string) => void;
  /** A photo is in sight. */
  onShow: (id: string) => void;
  /** The stack behind whose best a photo that is not among these stands; undefined where it stands in none. */
  behind: (id: string) => string | undefined;
  onOpenStack: (stack: string) => void;
  onClose: () => void;
}

const placeOf = (photos: readonly ClientPhoto[], id: string): number =>
  photos.findIndex((photo) => photo.photo_id === id);

/** The list, and the place of a photo in it; while it does not have the photo the last list that had it, so that it stays in sight. */
function useListAround(listed: readonly ClientPhoto[], id: string) {
  const [last, setLast] = useState(listed);
  const place = placeOf(listed, id);
  if (place >= 0 && last !== listed) setLast(listed);
  return { photos: place >= 0 ? listed : last, place };
}

/** The viewer of a client: the mark, and what the client says of the photo. */
export default function ChoosingLightbox({
  startId,
  photos: listed,
  total,
  loaded,
  open,
  markOf,
  onChoose,
  onComment,
  onShow,
  behind,
  onOpenStack,
  onClose,
}: ChoosingLightboxProps) {
  const [id, setId] = useState(startId);
  const { photos, place } = useListAround(listed, id);
  // A better photo of its stack has come, and would take its place: the photo in sight stays, and its stack is opened.
  const stack = place >= 0 ? undefined : behind(id);
  const openStack = useEffectEvent(onOpenStack);
  useEffect(() => {
    if (stack !== undefined) openStack(stack);
  }, [stack]);
  const next = listed[Math.min(placeOf(photos, id), listed.length - 1)];
  if (place < 0 && stack === undefined && next !== undefined) setId(next.photo_id);
  const close = useEffectEvent(onClose);
  const empty = listed.length === 0;
  useEffect(() => {
    if (empty) close();
  }, [empty]);
  const [commenting, setCommenting] = useState(false);
  useEffect(() => onShow(id), [onShow, id]);
  const pictures = useMemo(
    () =>
      photos.map((photo, at) => ({
        id: photo.photo_id,
        url: photo.url,
        alt: t`Photo ${{ position: at + 1 }} of ${total}`,
        placeholder: loaded.get(photo.photo_id) ?? photo.thumbnail_url,
        color: photo.color ?? null,
        ...renditionSize(photo, 'preview'),
      })),
    [photos, loaded, total],
  );
  const position = placeOf(photos, id) + 1;
  const { chosen, comment } = markOf(id);
  const says = comment !== '';
  return (
    <>
      <Lightbox
        label={t`Photos to choose from`}
        photos={pictures}
        currentId={id}
        onChange={setId}
        onClose={onClose}
        caption={
          <div className={styles['caption']}>
            <span aria-hidden="true">{t`${position} of ${total}`}</span>
            <span className={styles['name']}>{photos[position - 1]?.filename}</span>
            {says && <span className={styles['comment']}>{comment}</span>}
          </div>
        }
        toolbarButtons={[
          <ViewerMark key="mark" on={chosen} open={open} onToggle={() => onChoose(id, !chosen)} />,
          open && (
            <button
              key="comment"
              type="button"
              className={styles['viewerComment']}
              aria-label={says ? t`Change your comment on this photo` : t`Comment on this photo`}
              aria-haspopup="dialog"
              data-on={says}
              onClick={() => setCommenting(true)}
            >
              <Icon name="edit" />
            </button>
          ),
        ]}
      />
      {commenting && (
        <CommentSheet
          photo={id}
          comment={comment}
          onSave={(entered) => {
            if (entered !== comment) onComment(id, entered);
          }}
          onClose={() => setCommenting(false)}
        />
      )}
    </>
  );
}
