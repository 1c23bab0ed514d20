import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { Photo } from '../../../platform/api/types';
import { formatBytes } from '../../../platform/bytes';
import { formatPercent } from '../../../platform/amounts';
import { formatCount } from '../../../platform/formats';
import { albumsQuery } from '../../shared/events/albums/albums';

/** The camera's clock: which zone it was set to is not known, so that none is applied. */
const takenText = (moment: string): string =>
  i18n.date(new Date(`${moment}Z`), { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** What is known of a photo and its file; what is not known is left out. */
function detailsOf(
  photo: Photo,
  managed: boolean,
  albums: readonly string[],
): readonly (readonly [label: string, value: string])[] {
  const {
    width,
    height,
    size_bytes,
    captured_at,
    camera,
    lens,
    status,
    faces,
    sharpness,
    downloads,
    hearts,
    created_at,
    uploader,
    guest_name,
  } = photo;
  const account = uploader == null ? '' : (uploader.name ?? t`An account that is deleted`);
  const sender =
    guest_name == null ? account : guest_name === '' ? t`A guest` : t`${{ name: guest_name }}, a guest`;
  const downloaded = downloads === 0 ? t`Not yet` : plural(downloads, { one: '# time', other: '# times' });
  return [
    [t`Taken`, captured_at == null ? '' : takenText(captured_at)],
    [t`Camera`, camera ?? ''],
    [t`Lens`, lens ?? ''],
    [t`Size`, `${width} × ${height}, ${formatBytes(size_bytes)}`],
    [albums.length > 1 ? t`Albums` : t`Album`, albums.join(', ')],
    [t`Faces`, status === 'ready' ? formatCount(faces) : ''],
    [t`Sharpness`, sharpness == null ? '' : formatPercent(sharpness * 100)],
    [t`Downloaded`, managed ? downloaded : ''],
    [t`Hearts`, hearts > 0 ? formatCount(hearts) : ''],
    [t`Uploaded by`, managed ? sender : ''],
    [t`Uploaded`, i18n.date(new Date(created_at), { dateStyle: 'medium', timeStyle: 'short' })],
  ];
}

const noNames: readonly string[] = [];

/** The names of the albums that a photo is in, in the order of the event's; none while they are not known. */
function useAlbumNames({ albums, event_id = null }: Photo): readonly string[] {
  const { data } = useQuery({ ...albumsQuery(event_id ?? ''), enabled: albums.length > 0 });
  return data?.filter(({ id }) => albums.includes(id)).map(({ name }) => name) ?? noNames;
}

/** The details of a photo in the lightbox. */
export function PhotoDetails({
  photo,
  managed,
}: {
  photo: Photo;
  /** What guests did, and who uploaded it, is for the owner and managers. */
  managed: boolean;
}) {
  const albums = useAlbumNames(photo);
  return (
    <Box
      component="dl"
      aria-label={t`Details`}
      sx={{
        display: 'grid',
        gridTemplateColumns: 'auto 1fr',
        gap: '2px 12px',
        width: 'fit-content',
        maxWidth: '100%',
        m: 0,
        mt: 2,
        p: '8px 12px',
        borderRadius: '10px',
        backgroundColor: 'rgb(14 14 14 / .78)',
        textShadow: 'none',
        '& dd': { m: 0, overflowWrap: 'anywhere' },
        '& dt': { opacity: 0.75 },
      }}
    >
      {detailsOf(photo, managed, albums).map(
        ([label, value]) =>
          value !== '' && (
            <Box key={label} sx={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </Box>
          ),
      )}
    </Box>
  );
}
