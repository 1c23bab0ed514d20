import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Album } from '../../../../platform/api/types';
import { errorMessage } from '../../../../platform/api/errors';
import { Alert } from '../../../../ui/Alert';
import { VisuallyHidden } from '../../../../ui/VisuallyHidden';
import { albumsQuery, arrangeAlbums } from '../../../shared/events/albums/albums';
import { swapWithPrevious } from './order';

/** The albums of an event, with what can be done with each. */
export function AlbumList({
  eventId,
  albums,
  onRename,
  onDelete,
}: {
  eventId: string;
  albums: readonly Album[];
  onRename: (album: Album) => void;
  onDelete: (album: Album) => void;
}) {
  const client = useQueryClient();
  const { queryKey } = albumsQuery(eventId);
  const mutationKey = ['arrange', eventId];
  const list = useRef<HTMLUListElement>(null);
  const [moved, setMoved] = useState<Album | null>(null);
  const arranging = useMutation({
    mutationKey,
    // One after the other, so that the last order stays.
    scope: { id: `albums ${eventId}` },
    mutationFn: (order: readonly Album[]) =>
      arrangeAlbums(
        eventId,
        order.map(({ id }) => id),
      ),
    onMutate: async (order) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, [...order]);
    },
    // An answer between two moves has the order of the first alone: the next move would begin with that.
    onSettled: () =>
      client.isMutating({ mutationKey }) === 1 ? client.invalidateQueries({ queryKey }) : undefined,
  });
  const position = albums.findIndex(({ id }) => id === moved?.id);
  // An element that is moved in the document loses the focus.
  useLayoutEffect(() => {
    if (position < 0) return;
    list.current?.children[position]?.querySelector('button')?.focus();
  }, [position]);

  const moveUp = (album: Album) => {
    setMoved(album);
    arranging.mutate(swapWithPrevious(albums, album.id));
  };
  return (
    <>
      <Box component="ul" ref={list} aria-label={t`Albums`} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {albums.map((album, index) => (
          <Box
            component="li"
            key={album.id}
            sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 1, minHeight: 48 }}
          >
            <Box sx={{ flex: '1 1 140px', minWidth: 0, overflowWrap: 'anywhere' }}>{album.name}</Box>
            {index > 0 && (
              <Button
                size="small"
                aria-label={t`Move ${{ name: album.name }} up`}
                onClick={() => moveUp(album)}
              >
                {t`Up`}
              </Button>
            )}
            <Button
              size="small"
              aria-label={t`Rename ${{ name: album.name }}`}
              onClick={() => onRename(album)}
            >
              {t`Rename`}
            </Button>
            <Button
              size="small"
              aria-label={t`Delete ${{ name: album.name }}`}
              onClick={() => onDelete(album)}
            >
              {t`Delete`}
            </Button>
          </Box>
        ))}
      </Box>
      <VisuallyHidden as="div" role="status">
        {moved !== null &&
          position >= 0 &&
          t`${{ name: moved.name }} is at place ${{ place: position + 1 }}.`}
      </VisuallyHidden>
      {arranging.isError && (
        <Box sx={{ mt: 3 }}>
          <Alert tone="error">
            {errorMessage(arranging.error, t`The change could not be saved. Please try again.`)}
          </Alert>
        </Box>
      )}
    </>
  );
}
