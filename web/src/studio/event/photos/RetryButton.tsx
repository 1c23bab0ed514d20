import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../../platform/api/errors';
import type { Photo } from '../../../platform/api/types';
import { useSnackbar } from '../../../ui/useSnackbar';
import { eventsKey } from '../../shared/events/events';
import { photoListsKey, retryPhoto } from './photos';
import type { Gallery } from './gallery';

const replacePhoto = (gallery: Gallery | undefined, photo: Photo): Gallery | undefined =>
  gallery && { ...gallery, photos: gallery.photos.map((old) => (old.id === photo.id ? photo : old)) };

/** 'Try again' on a photo that could not be processed. */
export function RetryButton({ photo }: { photo: Photo }) {
  const client = useQueryClient();
  const show = useSnackbar();
  const retry = useMutation({
    mutationFn: () => retryPhoto(photo.id),
    onSuccess: async (retried) => {
      client.setQueriesData<Gallery>({ queryKey: photoListsKey(photo.event_id ?? '') }, (now) =>
        replacePhoto(now, retried),
      );
      await client.invalidateQueries({ queryKey: eventsKey });
    },
    onError: (error) =>
      show({
        tone: 'error',
        text: errorMessage(error, t`The photo could not be tried again. Please try again.`),
      }),
  });
  return (
    <Button
      variant="outlined"
      size="small"
      loading={retry.isPending}
      aria-label={t`Try again: ${{ name: photo.original_filename }}`}
      onClick={() => retry.mutate()}
      sx={{
        position: 'absolute',
        left: '50%',
        bottom: 6,
        transform: 'translateX(-50%)',
        whiteSpace: 'nowrap',
      }}
    >
      {t`Try again`}
    </Button>
  );
}
