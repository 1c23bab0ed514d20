import { t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import { errorMessage } from '../../../platform/api/errors';
import type { Photo } from '../../../platform/api/types';
import { useSnackbar } from '../../../ui/useSnackbar';
import { chooseBest, type Gallery } from './gallery';
import { photoListsKey } from './photos';

/** Has a photo stand for those that are like it, in every list of its event. */
export function useBest(eventId: string) {
  const client = useQueryClient();
  const show = useSnackbar();
  return useMutation({
    mutationFn: ({ id }: Photo) =>
      unwrapResponse(
        api.PUT('/api/photos/{id}/top-of-stack', { params: { path: { id } } }),
        t`The photo could not be chosen. Please try again.`,
      ),
    onSuccess: (_, photo) =>
      client.setQueriesData<Gallery>(
        { queryKey: photoListsKey(eventId) },
        (gallery) => gallery && chooseBest(gallery, photo),
      ),
    onError: (error) =>
      show({
        tone: 'error',
        text: errorMessage(error, t`The photo could not be chosen. Please try again.`),
      }),
  });
}
