import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import type { Event } from '../../../platform/api/types';
import { formatCount } from '../../../platform/formats';
import { Icon } from '../../../ui/Icon';
import { useSnackbar } from '../../../ui/useSnackbar';
import { publishShown, publishText, useChangePublication } from '../../shared/events/workspace/publication';
import { type Gallery, outdate } from './gallery';
import { photoListsKey } from './photos';

/**
 * Has the photos that are loaded say no more that they are held once they are published. `total` counts the event's photos, held
 * or not.
 */
function useHeldMarks(eventId: string, held: number, total: number): void {
  const client = useQueryClient();
  const before = useRef({ eventId, held, total });
  useEffect(() => {
    const last = before.current;
    before.current = { eventId, held, total };
    const fewer = last.eventId === eventId ? last.held - held : 0;
    // Those that were deleted are in no list, and nothing has become of the others.
    if (fewer <= Math.max(0, last.total - total)) return;
    const queryKey = photoListsKey(eventId);
    if (held > 0) {
      // Which ones are left is the server's to say.
      client.setQueriesData<Gallery>({ queryKey }, (gallery) => gallery && outdate(gallery));
      void client.invalidateQueries({ queryKey });
      return;
    }
    client.setQueriesData<Gallery>({ queryKey }, (gallery) =>
      gallery === undefined || !('photos' in gallery)
        ? gallery
        : {
            ...gallery,
            photos: gallery.photos.map((photo) => (photo.held ? { ...photo, held: false } : photo)),
          },
    );
    void client.invalidateQueries({ queryKey });
  }, [client, eventId, held, total]);
}

/** How many photos wait for the photographer, who publishes those that were counted here. */
export function HeldPhotos({ event }: { event: Event }) {
  const show = useSnackbar();
  const change = useChangePublication(event.id);
  const held = event.held_photos ?? 0;
  useHeldMarks(event.id, held, event.indexing.total);
  if (held === 0) return null;
  const count = formatCount(held);
  const publish = () =>
    change.mutate(publishShown(event), {
      onSuccess: () =>
        show({
          tone: 'success',
          text: plural(held, {
            one: `${count} photo is published.`,
            other: `${count} photos are published.`,
          }),
        }),
      onError: (error) =>
        show({
          tone: 'error',
          text: errorMessage(error, t`The photos could not be published. Please try again.`),
        }),
    });
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 3,
        rowGap: 1,
        mt: -1,
        mb: 3,
        fontSize: 14,
        color: 'text.secondary',
        '& svg': { flex: 'none' },
      }}
    >
      <Icon name="eyeOff" size={18} />
      <Box component="span" role="status" sx={{ mr: 'auto' }}>
        {plural(held, {
          one: `${count} photo is held. Guests do not see it yet.`,
          other: `${count} photos are held. Guests do not see them yet.`,
        })}
      </Box>
      <Button size="small" variant="outlined" loading={change.isPending} onClick={publish}>
        {publishText(held)}
      </Button>
    </Box>
  );
}
