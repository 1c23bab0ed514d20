import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import { Alert } from '../../../ui/Alert';
import { useSnackbar } from '../../../ui/useSnackbar';
import { albumsQuery } from '../../shared/events/albums/albums';
import { type FolderAlbum, folderAlbums } from './folders';
import { type PhotoFile, putFoldersIntoAlbums } from './albumsOfFolders';
import type { Queue, QueueItem } from './queue';

/** Files whose folders the photographer has decided about, also on another screen meanwhile. */
const decided = new WeakSet<File>();

/** A file of the queue, or one that an earlier batch has uploaded. */
type Candidate = PhotoFile & Pick<QueueItem, 'status'>;

/** What is left to decide about: photos that are there, by the folder that they were dropped in. */
function openAlbums(candidates: readonly Candidate[]): FolderAlbum<Candidate>[] {
  const isOpen = ({ status, file }: Candidate) => status === 'success' && !decided.has(file);
  return folderAlbums(candidates)
    .map(({ name, items: inside }) => ({ name, items: inside.filter(isOpen) }))
    .filter((album) => album.items.length > 0);
}

/** Offers albums of the folders that photos were dropped in. */
export function MakeAlbums({
  eventId,
  queue,
  skipped,
}: {
  eventId: string;
  queue: Queue;
  /** Files of an interrupted batch that were chosen again and are there. */
  skipped: readonly File[];
}) {
  const client = useQueryClient();
  const show = useSnackbar();
  const [, setDecisions] = useState(0);
  const albums = openAlbums([
    ...skipped.map((file): Candidate => ({ file, eventId, photoId: null, status: 'success' })),
    ...queue.items,
  ]);
  const decide = () => {
    for (const { items } of albums) for (const { file } of items) decided.add(file);
    setDecisions((before) => before + 1);
  };
  const making = useMutation({
    mutationFn: (wanted: readonly FolderAlbum<PhotoFile>[]) => putFoldersIntoAlbums(eventId, wanted),
    onSuccess: (photos) => {
      decide();
      show({
        tone: 'success',
        text: plural(photos, {
          one: '# photo is in the album of its folder.',
          other: '# photos are in the albums of their folders.',
        }),
      });
    },
    // Where it fails half-way, some albums are there.
    onSettled: () => {
      for (const queryKey of [albumsQuery(eventId).queryKey, ['photos']])
        void client.invalidateQueries({ queryKey });
    },
  });
  const count = albums.length;
  if (count === 0) return null;
  return (
    <Card component="section" aria-labelledby="folders-title" sx={{ p: { xs: 4, md: 6 } }}>
      <Typography variant="h3" component="h2" id="folders-title">
        {plural(count, { one: 'Make an album from # folder?', other: 'Make albums from the # folders?' })}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1, overflowWrap: 'anywhere' }}>
        {albums.map(({ name }) => name).join(', ')}
      </Typography>
      {making.isError && (
        <Box sx={{ mt: 4 }}>
          <Alert tone="error">
            {errorMessage(making.error, t`The albums could not be made. Please try again.`)}
          </Alert>
        </Box>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 4 }}>
        <Button variant="contained" disabled={making.isPending} onClick={() => making.mutate(albums)}>
          {plural(count, { one: 'Make album', other: 'Make albums' })}
        </Button>
        <Button disabled={making.isPending} onClick={decide}>
          {t`No, thanks`}
        </Button>
      </Box>
    </Card>
  );
}
