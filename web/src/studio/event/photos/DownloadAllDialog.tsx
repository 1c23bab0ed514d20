import { plural, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { ApiError, errorMessage } from '../../../platform/api/errors';
import { zipPath } from '../../../platform/api/links';
import { formatBytes } from '../../../platform/bytes';
import { formatCount } from '../../../platform/formats';
import { ActionDialog } from '../../../ui/ActionDialog';
import { saveFile } from '../../../ui/saveFile';
import { createDownload } from './photos';

const failedText = () => t`The photos could not be prepared for download. Please try again.`;

/** The size of a ZIP in bytes; null if unknown. */
async function zipSize(token: string, signal: AbortSignal): Promise<number | null> {
  const response = await fetch(new URL(zipPath(token), window.location.origin), { method: 'HEAD', signal });
  if (!response.ok) throw new ApiError(response.status, failedText());
  const length = Number(response.headers.get('Content-Length'));
  return length > 0 ? length : null;
}

function sizeText(photos: number, bytes: number | null): string {
  const count = formatCount(photos);
  if (bytes === null) return plural(photos, { one: `${count} photo`, other: `${count} photos` });
  const size = formatBytes(bytes);
  return plural(photos, { one: `${count} photo, ${size}`, other: `${count} photos, ${size}` });
}

/** All photos of an event, or of an album, as one ZIP: how many they are, how much that is, and the button that saves it. */
export function DownloadAllDialog({
  eventId,
  album,
  onClose,
}: {
  eventId: string;
  /** The id of the album; empty for all photos. */
  album: string;
  onClose: () => void;
}) {
  const zip = useQuery({
    queryKey: ['everything', eventId, album],
    queryFn: async ({ signal }) => {
      const { download_token: token, photos } = await createDownload(eventId, 'all', album);
      return { token, photos, bytes: await zipSize(token, signal) };
    },
    // Photos come and go, and a token ends.
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  return (
    <ActionDialog
      title={t`Download all`}
      text={
        zip.data === undefined ? t`The ZIP is being prepared.` : sizeText(zip.data.photos, zip.data.bytes)
      }
      action={zip.isError ? t`Try again` : t`Download as one ZIP`}
      busy={zip.isFetching}
      failure={zip.isError && !zip.isFetching ? errorMessage(zip.error, failedText()) : null}
      onClose={onClose}
      onSubmit={() => {
        if (zip.data === undefined) {
          void zip.refetch();
          return;
        }
        saveFile(zipPath(zip.data.token), '');
        onClose();
      }}
    />
  );
}
