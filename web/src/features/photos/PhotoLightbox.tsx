import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { errorMessage } from '../../shared/api/errors';
import type { Photo } from '../../shared/api/types';
import { Icon, type IconName } from '../../shared/components/Icon';
import { Lightbox } from '../../shared/components/Lightbox';
import { saveBlob } from '../../shared/components/saveFile';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { renditionSize } from '../../shared/renditions';
import { fetchOriginal } from './api';
import { LightboxCaption } from './LightboxCaption';

export interface PhotoLightboxProps {
  photos: readonly Photo[];
  /** Of all photos, loaded or not. */
  total: number;
  currentId: string;
  onChange: (id: string) => void;
  onDelete: (id: string) => void;
  onClose: () => void;
}

function ToolbarButton({
  icon,
  label,
  busy = false,
  onClick,
}: {
  icon: IconName;
  label: string;
  busy?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="yarl__button"
      aria-label={label}
      title={label}
      aria-busy={busy}
      disabled={busy}
      onClick={onClick}
    >
      <Icon name={icon} size={24} />
    </button>
  );
}

async function download({ id, original_filename }: Photo): Promise<void> {
  saveBlob(await fetchOriginal(id), original_filename);
}

/** The lightbox of the gallery: name and place of the photo, zoom, download of the original, deletion. */
export default function PhotoLightbox({ photos, total, currentId, onDelete, ...shown }: PhotoLightboxProps) {
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
  if (photo === undefined) return null;
  return (
    <Lightbox
      photos={pictures}
      currentId={currentId}
      caption={
        <LightboxCaption
          name={photo.original_filename}
          position={index + 1}
          total={total}
          notMeReports={photo.not_me_reports}
        />
      }
      toolbarButtons={[
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
