import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Album } from '../../../../platform/api/types';
import { errorMessage } from '../../../../platform/api/errors';
import { ActionDialog } from '../../../../ui/ActionDialog';
import { useSnackbar } from '../../../../ui/useSnackbar';
import { photoListsKey } from '../photos';
import { albumsQuery, createAlbum, putIntoAlbum } from './albums';
import { AlbumNameField, nameErrorOf } from './AlbumNameField';

const none = '';
const another = 'new';

/** Asks which album the selected photos are to be in, and puts them there. */
export function PutIntoAlbumDialog({
  eventId,
  ids,
  albums,
  onClose,
  onDone,
}: {
  eventId: string;
  ids: readonly string[];
  albums: readonly Album[];
  onClose: () => void;
  onDone: () => void;
}) {
  const client = useQueryClient();
  const show = useSnackbar();
  const selectId = useId();
  const [target, setTarget] = useState(albums[0]?.id ?? another);
  const [name, setName] = useState('');
  const [asked, setAsked] = useState(false);
  const put = useMutation({
    mutationFn: async () => {
      const album = target === another ? (await createAlbum(eventId, name.trim())).id : target;
      // Should the rest fail, the album is chosen, and not made twice.
      if (target === another) {
        await client.invalidateQueries({ queryKey: albumsQuery(eventId).queryKey });
        setTarget(album);
      }
      await putIntoAlbum(eventId, album === none ? null : album, ids);
    },
    onSuccess: () => {
      const count = ids.length;
      show({
        tone: 'success',
        text:
          target === none
            ? plural(count, { one: 'The photo is in no album now.', other: '# photos are in no album now.' })
            : plural(count, { one: 'The photo is in the album.', other: '# photos are in the album.' }),
      });
      void client.invalidateQueries({ queryKey: photoListsKey(eventId) });
      onDone();
    },
  });
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
        if (nameError === undefined) put.mutate();
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
          inputProps={{ id: selectId }}
          fullWidth
        >
          {albums.map(({ id, name: called }) => (
            <option key={id} value={id}>
              {called}
            </option>
          ))}
          <option value={another}>{t`New album`}</option>
          <option value={none}>{t`No album`}</option>
        </NativeSelect>
      </Box>
      {target === another && (
        <AlbumNameField value={name} error={asked ? nameError : undefined} onChange={setName} />
      )}
    </ActionDialog>
  );
}
