import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { errorMessage } from '../../../platform/api/errors';
import { zipPath } from '../../../platform/api/links';
import { saveFile } from '../../../ui/saveFile';
import { useSnackbar } from '../../../ui/useSnackbar';

/** Saves the ZIP of which a request answers the token; the browser downloads it by itself. */
export function useDownloadPhotos<Wanted>(
  createDownload: (wanted: Wanted) => Promise<{ download_token: string }>,
) {
  const show = useSnackbar();
  return useMutation({
    mutationFn: createDownload,
    onSuccess: ({ download_token }) => saveFile(zipPath(download_token), ''),
    onError: (error) =>
      show({
        tone: 'error',
        text: errorMessage(error, t`The photos could not be prepared for download. Please try again.`),
      }),
  });
}
