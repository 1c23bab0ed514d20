import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Album } from '../../../../platform/api/types';
import { errorMessage } from '../../../../platform/api/errors';
import { ActionDialog } from '../../../../ui/ActionDialog';
import { Icon } from '../../../../ui/Icon';
import { photoListsKey } from '../photos';
import { LoadError } from '../LoadError';
import { albumsQuery, createAlbum, deleteAlbum, renameAlbum } from '../../../shared/events/albums/albums';
import { AlbumList } from './AlbumList';
import { AlbumNameField, nameErrorOf } from './AlbumNameField';

type Task = { does: 'create' } | { does: 'rename' | 'delete'; album: Album };

/** Asks for the name of an album, or whether it is to be deleted, and does it. */
function TaskDialog({ eventId, task, onClose }: { eventId: string; task: Task; onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(task.does === 'rename' ? task.album.name : '');
  const [asked, setAsked] = useState(false);
  const change = useMutation({
    mutationFn: async (): Promise<unknown> => {
      if (task.does === 'create') return createAlbum(eventId, name.trim());
      return task.does === 'rename' ? renameAlbum(task.album.id, name.trim()) : deleteAlbum(task.album.id);
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: albumsQuery(eventId).queryKey });
      if (task.does === 'delete') void client.invalidateQueries({ queryKey: photoListsKey(eventId) });
      onClose();
    },
  });
  const nameError = nameErrorOf(name);
  const common = {
    busy: change.isPending,
    failure: change.isError
      ? errorMessage(change.error, t`The change could not be saved. Please try again.`)
      : null,
    onClose,
  };
  if (task.does === 'delete')
    return (
      <ActionDialog
        {...common}
        title={t`Delete the album ‘${{ name: task.album.name }}’?`}
        text={t`Its photos stay in the event.`}
        action={t`Delete album`}
        danger
        onSubmit={() => change.mutate()}
      />
    );
  return (
    <ActionDialog
      {...common}
      title={task.does === 'create' ? t`New album` : t`Rename album`}
      text={t`Guests see the name with their photos.`}
      action={t`Save`}
      onSubmit={() => {
        setAsked(true);
        if (nameError === undefined) change.mutate();
      }}
    >
      <AlbumNameField value={name} error={asked ? nameError : undefined} onChange={setName} />
    </ActionDialog>
  );
}

/** The albums of an event, which are made, renamed, ordered and deleted here. */
export function AlbumsDialog({ eventId, onClose }: { eventId: string; onClose: () => void }) {
  const titleId = useId();
  const [task, setTask] = useState<Task | null>(null);
  const albums = useQuery(albumsQuery(eventId));
  if (task !== null) return <TaskDialog eventId={eventId} task={task} onClose={() => setTask(null)} />;
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <DialogTitle id={titleId}>{t`Albums`}</DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mt: 2, mb: 3 }}>
          {t`Albums divide an event, such as ‘Ceremony’ and ‘Reception’. Select photos in the gallery to put them into one.`}
        </Typography>
        {albums.isLoadingError && (
          <LoadError
            text={errorMessage(albums.error, t`Failed to load the albums. Please try again.`)}
            busy={albums.isFetching}
            onRetry={() => void albums.refetch()}
          />
        )}
        {albums.data?.length === 0 && <Typography>{t`No albums yet.`}</Typography>}
        {albums.data !== undefined && albums.data.length > 0 && (
          <AlbumList
            eventId={eventId}
            albums={albums.data}
            onRename={(album) => setTask({ does: 'rename', album })}
            onDelete={(album) => setTask({ does: 'delete', album })}
          />
        )}
      </DialogContent>
      <DialogActions>
        <Button startIcon={<Icon name="plus" />} onClick={() => setTask({ does: 'create' })}>
          {t`New album`}
        </Button>
        <Button onClick={onClose} autoFocus>
          {t`Close`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
