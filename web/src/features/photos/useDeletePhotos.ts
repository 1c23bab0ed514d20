import { plural, t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, errorMessage } from '../../shared/api/errors';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { eventsKey } from '../../shared/events/queries';
import { formatCount } from '../../shared/formats';
import { deletePhoto } from './api';
import { trashKey } from './trash/api';
import { useRestorePhotos } from './trash/useRestorePhotos';

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const deletedText = (count: number) => plural(count, { one: 'Photo deleted.', other: '# photos deleted.' });

function failureText(failures: readonly unknown[], total: number): string {
  if (total === 1) return errorMessage(failures[0], t`Failed to delete the photo. Please try again.`);
  const failed = formatCount(failures.length);
  return plural(total, {
    one: `Failed to delete ${failed} of # photos. Please try again.`,
    other: `Failed to delete ${failed} of # photos. Please try again.`,
  });
}

/**
 * Deletes photos of an event one after the other and says how it went, with the way back. `onDeleted` is called with those
 * that are gone.
 */
export function useDeletePhotos(eventId: string, onDeleted: (ids: readonly string[]) => void) {
  const client = useQueryClient();
  const show = useSnackbar();
  const { mutate: restore } = useRestorePhotos(eventId);
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
      void client.invalidateQueries({ queryKey: trashKey(eventId) });
      const action = deleted.length > 0 && { action: { label: t`Undo`, run: () => restore(deleted) } };
      show(
        failures.length === 0
          ? { tone: 'success', text: deletedText(deleted.length), ...action }
          : { tone: 'error', text: failureText(failures, ids.length), ...action },
      );
    },
  });
}
