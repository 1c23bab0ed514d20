import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { Album } from '../../../../platform/api/types';
import { errorMessage } from '../../../../platform/api/errors';
import { ActionDialog } from '../../../../ui/ActionDialog';
import { Icon } from '../../../../ui/Icon';
import { albumsQuery, createAlbum, putIntoAlbum, takeOutOfAlbum } from '../../../shared/events/albums/albums';
import { AlbumNameField, nameErrorOf } from './AlbumNameField';
import { useSayMoved } from './useSayMoved';

/** An album among those to choose from. */
function AlbumChoice({
  name,
  chosen,
  disabled = false,
  onChange,
}: {
  name: string;
  chosen: boolean;
  disabled?: boolean;
  onChange: (chosen: boolean) => void;
}) {
  return (
    <FormControlLabel
      sx={{ display: 'flex', m: 0, ml: '-9px', '& .MuiFormControlLabel-label': { overflowWrap: 'anywhere' } }}
      control={<Checkbox checked={chosen} disabled={disabled} onChange={(_, on) => onChange(on)} />}
      label={name}
    />
  );
}

/** Asks which albums the selected photos are to be in beside those that they are in, and puts them there. */
export function AddToAlbumDialog({
  eventId,
  ids,
  isThere,
  albums,
  onClose,
  onDone,
}: {
  eventId: string;
  /** The selected photos. */
  ids: readonly string[];
  /** Whether all of them are in an album already. */
  isThere: (album: string) => boolean;
  albums: readonly Album[];
  onClose: () => void;
  onDone: () => void;
}) {
  const client = useQueryClient();
  const sayMoved = useSayMoved(eventId);
  const errorId = useId();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [makes, setMakes] = useState(albums.length === 0);
  const [name, setName] = useState('');
  const [asked, setAsked] = useState(false);
  // What was put where, with what was before a failure.
  const added = useRef<{ album: string; photos: string[] }[]>([]);
  const choose = (id: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const add = useMutation({
    mutationFn: async () => {
      const targets = new Set(chosen);
      if (makes) {
        const { id } = await createAlbum(eventId, name.trim());
        targets.add(id);
        // Should the rest fail, the album is chosen, and not made twice.
        await client.invalidateQueries({ queryKey: albumsQuery(eventId).queryKey });
        setChosen(new Set(targets));
        setMakes(false);
      }
      for (const album of targets)
        added.current.push({ album, photos: await putIntoAlbum(eventId, album, ids) });
      return targets.size;
    },
    onSuccess: (count) => {
      sayAdded(count);
      onDone();
    },
  });
  const sayAdded = (count: number) =>
    sayMoved(
      count === 1
        ? plural(ids.length, { one: 'The photo is in the album.', other: '# photos are in the album.' })
        : plural(ids.length, { one: 'The photo is in the albums.', other: '# photos are in the albums.' }),
      async () => {
        for (const { album, photos: put } of added.current) await takeOutOfAlbum(eventId, album, put);
      },
    );
  const close = () => {
    // It has failed half-way: what was done until then is said, and has its way back.
    const albumsDone = new Set(added.current.map(({ album }) => album)).size;
    if (albumsDone > 0) sayAdded(albumsDone);
    onClose();
  };
  const nameError = makes ? nameErrorOf(name) : undefined;
  const none = chosen.size === 0 && !makes;
  const choiceError = asked && none;
  return (
    <ActionDialog
      title={plural(ids.length, { one: 'Add this photo to an album', other: 'Add # photos to an album' })}
      text={t`A photo can be in several albums.`}
      action={t`Add`}
      busy={add.isPending}
      failure={
        add.isError ? errorMessage(add.error, t`The change could not be saved. Please try again.`) : null
      }
      onClose={close}
      onSubmit={() => {
        setAsked(true);
        if (nameError === undefined && !none) add.mutate();
      }}
    >
      {albums.length > 0 && (
        <Box
          component="fieldset"
          aria-describedby={choiceError ? errorId : undefined}
          sx={{ minWidth: 0, m: 0, p: 0, border: 0 }}
        >
          <Box component="legend" sx={{ p: 0, mb: 1, fontSize: 14, fontWeight: 600 }}>
            {t`Albums`}
          </Box>
          {albums.map(({ id, name: called }) => {
            const there = isThere(id);
            return (
              <AlbumChoice
                key={id}
                name={called}
                chosen={there || chosen.has(id)}
                disabled={there}
                onChange={(on) => choose(id, on)}
              />
            );
          })}
          <AlbumChoice name={t`New album`} chosen={makes} onChange={setMakes} />
          {choiceError && (
            <FormHelperText error id={errorId} role="alert">
              <Icon name="alert" size={16} />
              {t`Please choose an album`}
            </FormHelperText>
          )}
        </Box>
      )}
      {makes && <AlbumNameField value={name} error={asked ? nameError : undefined} onChange={setName} />}
    </ActionDialog>
  );
}
