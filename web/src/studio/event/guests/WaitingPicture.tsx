import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useObjectUrl } from '../../../ui/useObjectUrl';
import type { WaitingPhoto } from '../../shared/notifications/guestPhotos';
import { waitingPictureQuery } from './guestPhotoDecisions';

/** The picture of a photo that waits; its color stands in its place until it is there. */
export function WaitingPicture({
  eventId,
  photo,
  size,
  alt,
  sx,
}: {
  eventId: string;
  photo: WaitingPhoto;
  size: 'thumbnail' | 'preview';
  alt: string;
  /** Its place. */
  sx: { width?: number; height?: number; minHeight?: number; flex?: 'none'; borderRadius?: string };
}) {
  const { data, isError } = useQuery(waitingPictureQuery(eventId, photo.id, size));
  const url = useObjectUrl(data);
  return (
    <Box sx={{ position: 'relative', display: 'grid', placeItems: 'center', overflow: 'hidden', ...sx }}>
      {url !== undefined ? (
        <Box
          component="img"
          src={url}
          alt={alt}
          // Out of the flow: in it a large picture would be as high as it is, and its place cut it off.
          sx={{
            position: 'absolute',
            inset: 0,
            width: '100%',
            height: '100%',
            objectFit: size === 'thumbnail' ? 'cover' : 'contain',
          }}
        />
      ) : isError ? (
        <Typography variant="body2" color="textSecondary">{t`Failed to load`}</Typography>
      ) : (
        <Box
          sx={{ width: '100%', height: '100%', opacity: 0.5 }}
          style={{ backgroundColor: photo.average_color ?? undefined }}
        />
      )}
    </Box>
  );
}
