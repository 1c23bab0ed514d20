import { plural, t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../../platform/api/errors';
import { useSnackbar } from '../../../ui/useSnackbar';
import { eventsKey } from '../../shared/events/events';
import { deletePhotos, photoListsKey } from './photos';
import { trashKey } from './trash/trash';
import { useRestorePhotos } from './trash/useRestorePhotos';

/**
 * Deletes photos of an event together and says so, with the way back, for which nobody is asked before: they wait in the
 * trash. `onDeleted` is called with those that are gone.
 */
export function useDeletePhotos(eventId: string, onDeleted: (ids: readonly string[]) => void) {
  const client = useQueryClient();
  const show = useSnackbar();
  const { mutate: restore } = useRestorePhotos(eventId);
  return useMutation({
    mutationFn: (ids: readonly string[]) => deletePhotos(eventId, ids),
    onSuccess: (deleted, ids) => {
      const [count, all] = [deleted.length, ids.length];
      onDeleted(ids);
      // What somebody else has deleted does not come back with this Undo.
      if (count === 0)
        show({
          tone: 'success',
          text: plural(all, {
            one: 'The photo had been deleted already.',
            other: 'The photos had been deleted already.',
          }),
        });
      else
        show({
          tone: 'success',
          text: plural(count, { one: 'Photo deleted.', other: '# photos deleted.' }),
          action: { label: t`Undo`, run: () => restore(deleted) },
        });
    },
    onError: (error) => {
      show({
        tone: 'error',
        text: errorMessage(error, t`The photos could not be deleted. Please try again.`),
      });
      // Some of them may be deleted all the same.
      return client.invalidateQueries({ queryKey: photoListsKey(eventId) });
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: eventsKey });
      void client.invalidateQueries({ queryKey: trashKey(eventId) });
    },
  });
}
