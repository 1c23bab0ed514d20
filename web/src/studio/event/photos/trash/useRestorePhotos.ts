import { plural, t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../../../platform/api/errors';
import { useSnackbar } from '../../../../ui/useSnackbar';
import { eventsKey } from '../../../shared/events/events';
import { photoListsKey } from '../photos';
import type { Chosen } from '../../../shared/events/albums/choices';
import { restorePhotos, trashKey } from './trash';

/** Restores deleted photos of an event, says how it went, and has the lists loaded again. */
export function useRestorePhotos(eventId: string, onRestored?: () => void) {
  const client = useQueryClient();
  const show = useSnackbar();
  return useMutation({
    mutationFn: (chosen: Chosen) => restorePhotos(eventId, chosen),
    onSuccess: (count) => {
      onRestored?.();
      show({
        tone: 'success',
        text: plural(count, { one: 'Photo restored.', other: '# photos restored.' }),
      });
    },
    onError: (error) =>
      show({
        tone: 'error',
        text: errorMessage(error, t`The photos could not be restored. Please try again.`),
      }),
    onSettled: () =>
      Promise.all(
        [photoListsKey(eventId), trashKey(eventId), eventsKey].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
