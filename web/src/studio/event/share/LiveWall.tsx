import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import type { Event } from '../../../platform/api/types';
import { ActionDialog } from '../../../ui/ActionDialog';
import { Alert } from '../../../ui/Alert';
import { Icon } from '../../../ui/Icon';
import { OutlineIcon } from '../../../ui/OutlineIcon';
import { albumsQuery } from '../../shared/events/albums/albums';
import { besideUrl, CopyableUrl } from '../../shared/events/CopyableUrl';
import { endWall, failedText, putWall, type Wall, wallQuery } from './walls';

const OPEN = 'M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5';

/** The address of a wall, which is typed or opened on the screen. */
const Address = ({ url }: { url: string }) => (
  <CopyableUrl url={url} label={t`Copy address`} button={{ variant: 'outlined' }}>
    <Button
      variant="outlined"
      href={url}
      target="_blank"
      rel="noreferrer"
      startIcon={<OutlineIcon outline={OPEN} />}
      sx={besideUrl}
    >
      {t`Open`}
    </Button>
  </CopyableUrl>
);

/** A page for a screen at the venue: made, pointed at the photos of an album, and ended here. */
export function LiveWall({ event }: { event: Pick<Event, 'id'> }) {
  const photosId = useId();
  const queries = useQueryClient();
  const query = wallQuery(event.id);
  const { data: wall, error } = useQuery(query);
  const { data: albums = [] } = useQuery(albumsQuery(event.id));
  const [asks, setAsks] = useState(false);
  const keep = (now: Wall | null) => queries.setQueryData(query.queryKey, now);
  // In order: what was chosen last stays, and what ends the wall comes after it.
  const scope = { id: `wall ${event.id}` };
  const putting = useMutation({
    scope,
    mutationFn: (album: string | null) => putWall(event.id, album),
    onSuccess: keep,
  });
  const ending = useMutation({
    scope,
    mutationFn: () => endWall(event.id),
    onSuccess: () => {
      keep(null);
      setAsks(false);
    },
  });
  return (
    <>
      <Typography color="textSecondary" sx={{ mt: 1, mb: 4 }}>
        {t`A page for a screen at the venue: photos appear on it as they arrive, with the code in a corner. Whoever has its address sees them, without the PIN.`}
      </Typography>
      {error !== null && (
        <Alert tone="error">{errorMessage(error, t`The live wall could not be loaded.`)}</Alert>
      )}
      {wall === null && (
        <Button
          variant="outlined"
          startIcon={<Icon name="plus" />}
          loading={putting.isPending}
          onClick={() => putting.mutate(null)}
        >
          {t`Create live wall`}
        </Button>
      )}
      {wall != null && (
        <>
          <Address url={wall.url} />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, mt: 3 }}>
            <Typography component="label" htmlFor={photosId} variant="body2" sx={{ fontWeight: 600 }}>
              {t`Photos on the wall`}
            </Typography>
            <NativeSelect
              id={photosId}
              value={(putting.isPending ? putting.variables : wall.album_id) ?? ''}
              onChange={({ target }) => putting.mutate(target.value === '' ? null : target.value)}
              input={<OutlinedInput />}
              sx={{ minHeight: 44, maxWidth: '100%' }}
            >
              <option value="">{t`All photos`}</option>
              {albums.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </NativeSelect>
            <Box sx={{ flex: 1 }} />
            <Button
              color="error"
              onClick={() => {
                ending.reset();
                setAsks(true);
              }}
            >
              {t`End wall`}
            </Button>
          </Box>
        </>
      )}
      {putting.isError && (
        <Box sx={{ mt: 4 }}>
          <Alert tone="error">{errorMessage(putting.error, failedText())}</Alert>
        </Box>
      )}
      {asks && (
        <ActionDialog
          title={t`End the live wall?`}
          text={t`Screens that show it stop at once. A new wall has another address.`}
          action={t`End wall`}
          danger
          busy={ending.isPending}
          failure={ending.isError ? errorMessage(ending.error, failedText()) : null}
          onClose={() => setAsks(false)}
          onSubmit={() => ending.mutate()}
        />
      )}
    </>
  );
}
