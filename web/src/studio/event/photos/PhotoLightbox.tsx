import { plural, t } from '@lingui/core/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import type { Photo } from '../../../platform/api/types';
import { Icon, type IconName } from '../../../ui/Icon';
import { OutlineIcon } from '../../../ui/OutlineIcon';
import { Lightbox } from '../../../ui/Lightbox';
import type { Stacked } from '../../../platform/stacks';
import { stackText } from '../../../platform/stackTexts';
import { saveBlob } from '../../../ui/saveFile';
import { useSnackbar } from '../../../ui/useSnackbar';
import { storedDetailsShown, storedFacesShown } from '../../../platform/storage/galleryStorage';
import { renditionSize } from '../../../platform/renditions';
import { room } from '../../../ui/theme/tokens';
import { fetchOriginal, photoFacesQuery } from './photos';
import { FaceBoxes } from './FaceBoxes';
import { LightboxCaption } from './LightboxCaption';
import { PhotoDetails } from './PhotoDetails';
import { useCover } from './useCover';
import { useLightboxSwitch } from './useLightboxSwitch';

export interface PhotoLightboxProps {
  /** The photographer manages the event: contributors see neither the faces nor what guests did, and choose no cover. */
  managed: boolean;
  photos: readonly Photo[];
  /** Of all photos, loaded or not. */
  total: number;
  currentId: string;
  /** How the list shows a photo that is like others of it. */
  stackOf?: (photo: Photo) => Stacked | undefined;
  /** Shows the photos of a stack, or only the best of them. */
  onStack?: (stack: string) => void;
  /** Has a photo stand for its stack. */
  onBest?: (photo: Photo) => void;
  onChange: (id: string) => void;
  onDelete: (id: string) => void;
  onClose: () => void;
}

/** An i in a circle. */
const information = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.5M12 7.5v.01';

/** A photo before another one. */
const pile =
  'M4 9h11a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM7 5h12a1 1 0 0 1 1 1v10';

function ToolbarButton({
  icon,
  label,
  busy = false,
  pressed,
  shortcut,
  onClick,
}: {
  icon: IconName | { outline: string };
  label: string;
  busy?: boolean;
  /** Of a switch: whether it is on. */
  pressed?: boolean;
  /** The key that does the same. */
  shortcut?: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="yarl__button"
      aria-label={label}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      aria-keyshortcuts={shortcut}
      aria-pressed={pressed}
      aria-busy={busy}
      disabled={busy}
      onClick={onClick}
      style={pressed === true ? { color: room.lit, boxShadow: `inset 0 -3px ${room.lit}` } : undefined}
    >
      {typeof icon === 'string' ? <Icon name={icon} size={24} /> : <OutlineIcon {...icon} size={24} />}
    </button>
  );
}

async function download({ id, original_filename }: Photo): Promise<void> {
  saveBlob(await fetchOriginal(id), original_filename);
}

/** What is said of the faces of a photo while they are shown. */
function facesText({ status, faces }: Photo, failed: boolean): string {
  if (status === 'processing') return t`Finding faces`;
  if (status === 'failed') return '';
  if (faces === 0) return t`No faces found`;
  return failed
    ? plural(faces, {
        one: '# face found; its place could not be loaded',
        other: '# faces found; their places could not be loaded',
      })
    : plural(faces, { one: '# face found', other: '# faces found' });
}

/** Where the faces of the photo are, fetched while they are shown. */
function useFacePlaces(photo: Photo | undefined, shown: boolean) {
  const hasFaces = photo?.status === 'ready' && photo.faces > 0;
  return useQuery({ ...photoFacesQuery(photo ?? { id: '', faces: 0 }), enabled: shown && hasFaces });
}

/**
 * The lightbox of the gallery: name and place of the photo, zoom, the faces found, its details, download of the original,
 * deletion.
 */
export default function PhotoLightbox({
  managed,
  photos,
  total,
  currentId,
  stackOf,
  onStack,
  onBest,
  onDelete,
  ...shown
}: PhotoLightboxProps) {
  const show = useSnackbar();
  const pictures = useMemo(
    () =>
      photos.map((photo) => ({
        id: photo.id,
        url: photo.url,
        alt: photo.original_filename,
        placeholder: photo.thumbnail_url,
        color: photo.average_color,
        ...renditionSize(photo, 'preview'),
      })),
    [photos],
  );
  const saving = useMutation({
    mutationFn: download,
    onError: (error) =>
      show({
        tone: 'error',
        text: errorMessage(error, t`Failed to download photo. Please try again.`),
      }),
  });
  const index = photos.findIndex(({ id }) => id === currentId);
  const photo = photos[index];
  const faceSwitch = useLightboxSwitch(storedFacesShown, 'f');
  const faces = { ...faceSwitch, shown: managed && faceSwitch.shown };
  const details = useLightboxSwitch(storedDetailsShown, 'i');
  const places = useFacePlaces(photo, faces.shown);
  const cover = useCover(photo);
  if (photo === undefined) return null;
  const stack = stackOf?.(photo);
  return (
    <Lightbox
      photos={pictures}
      currentId={currentId}
      caption={
        <LightboxCaption
          name={photo.original_filename}
          position={index + 1}
          total={total}
          comment={photo.client_comment}
          notMeReports={photo.not_me_reports}
          faces={faces.shown ? facesText(photo, places.isError) : ''}
        >
          {details.shown && <PhotoDetails photo={photo} managed={managed} />}
        </LightboxCaption>
      }
      overlay={faces.shown && places.data !== undefined && <FaceBoxes faces={places.data.faces} />}
      toolbarButtons={[
        managed && (
          <ToolbarButton
            key="faces"
            icon="user"
            label={t`Show faces`}
            pressed={faces.shown}
            shortcut="F"
            onClick={faces.toggle}
          />
        ),
        stack?.isBest && (
          <ToolbarButton
            key="stack"
            icon={{ outline: pile }}
            label={stackText(stack)}
            pressed={stack.isOpen}
            onClick={() => onStack?.(stack.id)}
          />
        ),
        managed && stack?.isBest === false && (
          <ToolbarButton
            key="best"
            icon="star"
            label={t`Use as the best of ${{ count: stack.size }}`}
            onClick={() => onBest?.(photo)}
          />
        ),
        managed && cover !== null && (
          <ToolbarButton
            key="cover"
            icon="picture"
            label={t`Use as cover`}
            busy={cover.busy}
            onClick={cover.choose}
          />
        ),
        <ToolbarButton
          key="details"
          icon={{ outline: information }}
          label={t`Show details`}
          pressed={details.shown}
          shortcut="I"
          onClick={details.toggle}
        />,
        <ToolbarButton
          key="download"
          icon="download"
          label={t`Download`}
          busy={saving.isPending}
          onClick={() => saving.mutate(photo)}
        />,
        <ToolbarButton key="delete" icon="trash" label={t`Delete`} onClick={() => onDelete(photo.id)} />,
      ]}
      {...shown}
    />
  );
}
