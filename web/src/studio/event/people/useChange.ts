import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../../platform/api/errors';
import { useSnackbar } from '../../../ui/useSnackbar';
import { peopleKey } from './people';

/** A change of the people of an event: says how it went, and has them loaded again. */
export function useChange<Subject>(
  eventId: string,
  {
    change,
    doneText,
    failedText,
    onDone,
  }: {
    change: (subject: Subject) => Promise<unknown>;
    doneText: (subject: Subject) => string;
    failedText: () => string;
    onDone?: (subject: Subject) => void;
  },
) {
  const client = useQueryClient();
  const show = useSnackbar();
  return useMutation({
    mutationFn: change,
    onSuccess: (_, subject) => {
      onDone?.(subject);
      show({ tone: 'success', text: doneText(subject) });
    },
    onError: (error) => show({ tone: 'error', text: errorMessage(error, failedText()) }),
    // A part of it may be done although it failed.
    onSettled: () => client.invalidateQueries({ queryKey: peopleKey(eventId) }),
  });
}
