import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, errorMessage } from '../../shared/api/errors';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { eventsKey } from '../../shared/events/queries';
import { formatCount } from '../../shared/formats';
import { deletePhoto } from './api';

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Deletes photos one after the other and says how it went. `onDeleted` is called with those that are gone. */
export function useDeletePhotos(onDeleted: (ids: readonly string[]) => void) {
  const client = useQueryClient();
  const show = useSnackbar();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const deleted: string[] = [];
      const failures: unknown[] = [];
      for (const id of ids) {
        try {
          await deletePhoto(id);
          deleted.push(id);
        } catch (error) {
          if (isGone(error)) deleted.push(id);
          else failures.push(error);
        }
      }
      return { deleted, failures };
    },
    onSuccess: ({ deleted, failures }, ids) => {
      onDeleted(deleted);
      void client.invalidateQueries({ queryKey: eventsKey });
      const text =
        failures.length === 0
          ? deleted.length === 1
            ? 'Photo deleted.'
            : `${formatCount(deleted.length)} photos deleted.`
          : ids.length === 1
            ? errorMessage(failures[0], 'Failed to delete the photo. Please try again.')
            : `Failed to delete ${formatCount(failures.length)} of ${formatCount(ids.length)} photos. Please try again.`;
      show({ tone: failures.length === 0 ? 'success' : 'error', text });
    },
  });
}
