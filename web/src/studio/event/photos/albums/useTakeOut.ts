import { plural, t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { errorMessage } from '../../../../platform/api/errors';
import { useSnackbar } from '../../../../ui/useSnackbar';
import { putIntoAlbum, takeOutOfAlbum } from '../../../shared/events/albums/albums';
import { useSayMoved } from './useSayMoved';

/** Takes photos out of an album and says so, with the way back, for which nobody is asked before. */
export function useTakeOut(eventId: string, album: string, onDone: () => void) {
  const show = useSnackbar();
  const sayMoved = useSayMoved(eventId);
  return useMutation({
    mutationFn: (photos: readonly string[]) => takeOutOfAlbum(eventId, album, photos),
    onSuccess: (taken) => {
      sayMoved(
        plural(taken.length, {
          one: 'The photo is no longer in the album.',
          other: '# photos are no longer in the album.',
        }),
        () => putIntoAlbum(eventId, album, taken),
      );
      onDone();
    },
    onError: (error) =>
      show({ tone: 'error', text: errorMessage(error, t`The change could not be saved. Please try again.`) }),
  });
}
