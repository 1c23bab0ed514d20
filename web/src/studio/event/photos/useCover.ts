import { t } from '@lingui/core/macro';
import { errorMessage } from '../../../platform/api/errors';
import type { Photo } from '../../../platform/api/types';
import { useSnackbar } from '../../../ui/useSnackbar';
import { useChangeEvent } from '../../shared/events/editing/changeEvent';

/** Makes a photo the cover of its event; null for one that cannot be it. */
export function useCover(photo: Photo | undefined): { busy: boolean; choose: () => void } | null {
  const show = useSnackbar();
  const event = photo?.event_id ?? null;
  const change = useChangeEvent(event ?? '', {
    onSuccess: () => show({ tone: 'success', text: t`Guests see this photo as the cover now.` }),
    onError: (error) =>
      show({ tone: 'error', text: errorMessage(error, t`The cover could not be saved. Please try again.`) }),
  });
  if (photo === undefined || event === null || photo.status !== 'ready') return null;
  return { busy: change.isPending, choose: () => change.mutate({ cover_photo_id: photo.id }) };
}
