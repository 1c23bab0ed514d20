import { t } from '@lingui/core/macro';
import { errorMessage } from '../../../../platform/api/errors';
import { useSnackbar } from '../../../../ui/useSnackbar';
import { type EventChanges, useChangeEvent } from './changeEvent';
import { useWorkspaceEvent } from '../workspace/context';

/** Saves a setting of the event at once, and offers the way back. */
export function useSaveSetting() {
  const event = useWorkspaceEvent();
  const show = useSnackbar();
  const change = useChangeEvent(event.id);
  const say = (error: Error) =>
    show({
      tone: 'error',
      text: errorMessage(error, t`The setting could not be saved. Please try again.`),
    });
  const done = (back: EventChanges | null) =>
    show({
      tone: 'success',
      text: t`The event is saved.`,
      ...(back !== null && {
        action: {
          label: t`Undo`,
          // The dialog that asked for the value is gone by now.
          run: () =>
            void change
              .mutateAsync(back)
              .then(() => show({ tone: 'success', text: t`The event is as it was.` }), say),
        },
      }),
    });
  return {
    change,
    /** `back` undoes it; null where nothing does. Without `onError` what failed is said in the snackbar. */
    save: (
      changes: EventChanges,
      back: EventChanges | null,
      { onSuccess, onError = say }: { onSuccess?: () => void; onError?: (error: Error) => void } = {},
    ) =>
      // What failed is said also to whoever has left the screen meanwhile.
      void change.mutateAsync(changes).then(() => {
        onSuccess?.();
        done(back);
      }, onError),
  };
}
