import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../../platform/api/errors';
import { useSnackbar } from '../../../ui/useSnackbar';
import { teamQuery } from '../../shared/events/sharing/team';

/** Changes the team of an event and says how it went, here or, with `silent` failures, where it was asked for. */
export function useTeamChange<T>(
  eventId: string,
  {
    change,
    doneText,
    failedText,
    onDone,
  }: {
    change: (wanted: T) => Promise<unknown>;
    doneText: (wanted: T) => string;
    /** Undefined where a dialog says why. */
    failedText?: () => string;
    onDone?: () => void;
  },
) {
  const client = useQueryClient();
  const show = useSnackbar();
  return useMutation({
    mutationFn: change,
    onSuccess: (_, wanted) => {
      show({ tone: 'success', text: doneText(wanted) });
      onDone?.();
    },
    onError: (error) => {
      if (failedText !== undefined) show({ tone: 'error', text: errorMessage(error, failedText()) });
    },
    // Somebody else may have changed it meanwhile, which is why it failed.
    onSettled: () => client.invalidateQueries({ queryKey: teamQuery(eventId).queryKey }),
  });
}
