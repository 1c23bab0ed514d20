import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import { ActionDialog } from '../../../ui/ActionDialog';
import { TextField } from '../../../ui/TextField';
import { albumsQuery } from '../../shared/events/albums/albums';
import type { ClientSelection } from '../../shared/notifications/clientSelections';
import { useChangeSelections } from './clientSelections';

/** Stands for all photos of the event; nothing is chosen where the album is deleted. */
const allPhotos = 'all';

/** Whom is asked to choose how many photos of which, until when; a new selection, or one that is changed. */
export function SelectionDialog({
  eventId,
  selection,
  onClose,
  onSaved,
}: {
  eventId: string;
  /** Null for a new one. */
  selection: ClientSelection | null;
  onClose: () => void;
  onSaved: () => void;
}) {
  const photosId = useId();
  const { data: albums = [] } = useQuery(albumsQuery(eventId));
  const change = useChangeSelections(eventId);
  const [name, setName] = useState(selection?.name ?? '');
  const [limit, setLimit] = useState(String(selection?.photo_limit ?? ''));
  const [day, setDay] = useState(selection?.due_on ?? '');
  const [pin, setPin] = useState(selection?.pin ?? '');
  const [photos, setPhotos] = useState(
    selection?.album_deleted === true ? '' : (selection?.album_id ?? allPhotos),
  );
  const [missing, setMissing] = useState(false);
  const submit = () => {
    if (name.trim() === '' || photos === '') {
      setMissing(true);
      return;
    }
    const wanted = {
      name,
      photo_limit: limit.trim() === '' ? null : Math.trunc(Number(limit)),
      due_on: day,
      pin,
      album_id: photos === allPhotos ? null : photos,
    };
    change.mutate(
      selection === null ? { what: 'create', wanted } : { what: 'change', id: selection.id, wanted },
      { onSuccess: onSaved },
    );
  };
  return (
    <ActionDialog
      title={selection === null ? t`Ask a client to choose` : t`Change the selection`}
      text={t`You get a link for your client. They see the photos as guests do, with your watermark if you have one, and mark those that they want.`}
      action={selection === null ? t`Create link` : t`Save`}
      busy={change.isPending}
      failure={
        change.isError
          ? errorMessage(change.error, t`The selection could not be saved. Please try again.`)
          : null
      }
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={t`Name of the client`}
        value={name}
        autoFocus
        required
        slotProps={{ input: { maxLength: 60 } }}
        error={missing && name.trim() === '' ? t`Please enter the client's name` : undefined}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={t`Photos at most`}
        type="number"
        value={limit}
        helperText={t`Left empty, they choose as many as they like.`}
        slotProps={{ input: { min: 1, max: 10_000, step: 1, inputMode: 'numeric' } }}
        onChange={({ target }) => setLimit(target.value)}
      />
      <TextField
        label={t`Last day for choosing`}
        type="date"
        value={day}
        helperText={t`Left empty, there is no end.`}
        onChange={({ target }) => setDay(target.value)}
      />
      <Box>
        <Box
          component="label"
          htmlFor={photosId}
          sx={{ display: 'block', fontSize: 14, fontWeight: 600, mb: 1.5 }}
        >
          {t`Photos to choose from`}
        </Box>
        <NativeSelect
          id={photosId}
          fullWidth
          value={photos}
          error={missing && photos === ''}
          onChange={({ target }) => setPhotos(target.value)}
          input={<OutlinedInput />}
          sx={{ minHeight: 44 }}
        >
          {photos === '' && <option value="">{t`The album is deleted. Please choose.`}</option>}
          <option value={allPhotos}>{t`All photos`}</option>
          {albums.map(({ id, name: album }) => (
            <option key={id} value={id}>
              {album}
            </option>
          ))}
        </NativeSelect>
      </Box>
      <TextField
        label={t`PIN, if you like`}
        value={pin}
        helperText={t`6 to 8 digits that you tell your client beside the link.`}
        slotProps={{ input: { inputMode: 'numeric', maxLength: 20, dir: 'ltr', autoComplete: 'off' } }}
        onChange={({ target }) => setPin(target.value)}
      />
    </ActionDialog>
  );
}
