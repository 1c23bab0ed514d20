import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Album, Photo } from '../../../../platform/api/types';
import { errorMessage } from '../../../../platform/api/errors';
import { ActionDialog } from '../../../../ui/ActionDialog';
import { useSnackbar } from '../../../../ui/useSnackbar';
import { photoListsKey } from '../photos';
import { albumsQuery, createAlbum, putIntoAlbum } from '../../../shared/events/albums/albums';
import { AlbumNameField, nameErrorOf } from './AlbumNameField';

const unchosen = '';
const none = 'none';
const another = 'new';

/** The photos by the album that they are in, or by null. */
function byAlbum(photos: readonly Photo[]): ReadonlyMap<string | null, string[]> {
  const albums = new Map<string | null, string[]>();
  for (const { id, album_id } of photos) {
    const album = album_id ?? null;
    const others = albums.get(album);
    if (others === undefined) albums.set(album, [id]);
    else others.push(id);
  }
  return albums;
}

/** Asks which album the selected photos are to be in, and puts them there. */
export function PutIntoAlbumDialog({
  eventId,
  photos,
  albums,
  onClose,
  onDone,
}: {
  eventId: string;
  photos: readonly Photo[];
  albums: readonly Album[];
  onClose: () => void;
  onDone: () => void;
}) {
  const client = useQueryClient();
  const show = useSnackbar();
  const selectId = useId();
  const errorId = useId();
  const ids = photos.map(({ id }) => id);
  // Nobody puts photos into an album that they have not named.
  const [target, setTarget] = useState(albums.length > 0 ? unchosen : another);
  const [name, setName] = useState('');
  const [asked, setAsked] = useState(false);
  const refresh = () => void client.invalidateQueries({ queryKey: photoListsKey(eventId) });
  const undo = async (before: ReadonlyMap<string | null, string[]>) => {
    try {
      for (const [album, moved] of before) await putIntoAlbum(eventId, album, moved);
      show({ tone: 'success', text: t`The albums are as they were.` });
    } catch (error) {
      show({ tone: 'error', text: errorMessage(error, t`The change could not be saved. Please try again.`) });
    }
    refresh();
  };
  const put = useMutation({
    mutationFn: async (before: ReadonlyMap<string | null, string[]>) => {
      const album = target === another ? (await createAlbum(eventId, name.trim())).id : target;
      // Should the rest fail, the album is chosen, and not made twice.
      if (target === another) {
        await client.invalidateQueries({ queryKey: albumsQuery(eventId).queryKey });
        setTarget(album);
      }
      await putIntoAlbum(eventId, album === none ? null : album, [...before.values()].flat());
    },
    onSuccess: (_, before) => {
      const count = ids.length;
      show({
        tone: 'success',
        text:
          target === none
            ? plural(count, { one: 'The photo is in no album now.', other: '# photos are in no album now.' })
            : plural(count, { one: 'The photo is in the album.', other: '# photos are in the album.' }),
        action: { label: t`Undo`, run: () => void undo(before) },
      });
      refresh();
      onDone();
    },
  });
  const choiceError = asked && target === unchosen;
  const nameError = target === another ? nameErrorOf(name) : undefined;
  return (
    <ActionDialog
      title={plural(ids.length, { one: 'Put this photo into an album', other: 'Put # photos into an album' })}
      text={t`A photo is in one album at most.`}
      action={t`Save`}
      busy={put.isPending}
      failure={
        put.isError ? errorMessage(put.error, t`The change could not be saved. Please try again.`) : null
      }
      onClose={onClose}
      onSubmit={() => {
        setAsked(true);
        if (nameError === undefined && target !== unchosen) put.mutate(byAlbum(photos));
      }}
    >
      <Box>
        <Box
          component="label"
          htmlFor={selectId}
          sx={{ display: 'block', fontSize: 14, fontWeight: 600, mb: 1.5 }}
        >
          {t`Album`}
        </Box>
        <NativeSelect
          value={target}
          onChange={({ target: { value } }) => setTarget(value)}
          input={<OutlinedInput />}
          inputProps={{
            id: selectId,
            'aria-invalid': choiceError,
            'aria-describedby': choiceError ? errorId : undefined,
          }}
          error={choiceError}
          fullWidth
        >
          {target === unchosen && (
            <option value={unchosen} disabled>
              {t`Choose an album`}
            </option>
          )}
          {albums.map(({ id, name: called }) => (
            <option key={id} value={id}>
              {called}
            </option>
          ))}
          <option value={another}>{t`New album`}</option>
          <option value={none}>{t`No album`}</option>
        </NativeSelect>
        {choiceError && (
          <FormHelperText error id={errorId} role="alert">
            {t`Please choose an album`}
          </FormHelperText>
        )}
      </Box>
      {target === another && (
        <AlbumNameField value={name} error={asked ? nameError : undefined} onChange={setName} />
      )}
    </ActionDialog>
  );
}
