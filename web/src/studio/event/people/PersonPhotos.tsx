import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError, errorMessage } from '../../../platform/api/errors';
import { Icon } from '../../../ui/Icon';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { formatCount } from '../../../platform/formats';
import { personList, photosKey } from '../photos/photos';
import { type Gallery, removePhotos } from '../photos/gallery';
import { GridSkeleton } from '../photos/GridSkeleton';
import { LoadError } from '../photos/LoadError';
import { PhotoGrid, type PhotoGridHandle } from '../photos/PhotoGrid';
import type { ModifierKeys } from '../photos/PhotoTile';
import { countText } from '../photos/SelectionBar';
import { SelectionFrame } from '../photos/SelectionFrame';
import { useDeletePhotos } from '../photos/useDeletePhotos';
import { useDownloadPhotos } from '../photos/useDownloadPhotos';
import { useGallery } from '../photos/useGallery';
import { useGridLightbox } from '../photos/useGridLightbox';
import { useOpenPhoto } from '../photos/useOpenPhoto';
import { useSelection } from '../photos/useSelection';
import { useSelectionKeys } from '../photos/useSelectionKeys';
import { peopleAddress } from './address';
import { createPersonDownload, hidePerson, peopleKey, personQuery, splitPerson } from './people';
import { FacePicture } from './FacePicture';
import { photosText } from './PersonTile';
import { useChange } from './useChange';

/** The most photos that one request splits off. */
const splitLimit = 1000;

function splitNote(count: number, total: number): string {
  if (count > splitLimit) return t`At most ${{ limit: formatCount(splitLimit) }} photos at once.`;
  if (count > 0 && count >= total) return t`Leave at least one photo with this person.`;
  return t`Choose the photos that show somebody else.`;
}

/** What a photographer does with a person. */
function usePersonChanges(eventId: string, personId: string, leave: () => void) {
  const client = useQueryClient();
  const list = personList(personId);
  return {
    hiding: useChange<boolean>(eventId, {
      change: (hidden) => hidePerson(personId, hidden),
      doneText: (hidden) => (hidden ? t`The person is hidden.` : t`The person is shown again.`),
      failedText: () => t`The change could not be saved. Please try again.`,
      onDone: leave,
    }),
    splitting: useChange<readonly string[]>(eventId, {
      change: (photos) => splitPerson(personId, [...photos]),
      doneText: (photos) =>
        plural(photos.length, {
          one: 'The photo is of another person now.',
          other: 'The # photos are of another person now.',
        }),
      failedText: () => t`The photos could not be split off. Please try again.`,
      onDone: (photos) =>
        client.setQueryData<Gallery>(photosKey(eventId, list), (now) => now && removePhotos(now, photos)),
    }),
    saving: useDownloadPhotos(() => createPersonDownload(personId)),
  };
}

/** The photos that a person is in: to be looked at, downloaded together, and split off where it is somebody else. */
export function PersonPhotos({
  personId,
  hidden,
}: {
  personId: string;
  /** The list that leads here is that of those who were put aside. */
  hidden: boolean;
}) {
  const event = useWorkspaceEvent();
  const client = useQueryClient();
  const navigate = useNavigate();
  const back = peopleAddress(event.id, { hidden });
  const person = useQuery(personQuery(event.id, personId));
  const photoList = personList(personId);
  const { gallery, now, loadMore, loadIds, ...list } = useGallery(event.id, photoList);
  const photos = useMemo(() => gallery?.photos ?? [], [gallery]);
  const selection = useSelection({ photos, shown: photos, list: photoList, gallery, now, loadIds });
  const address = useOpenPhoto();
  const [leaving, setLeaving] = useState<readonly string[]>([]);
  const grid = useRef<PhotoGridHandle>(null);
  const split = useRef<HTMLButtonElement>(null);
  const lightbox = useGridLightbox({ address, gallery, leaving, grid, loadMore });
  const { hiding, splitting, saving } = usePersonChanges(event.id, personId, () => void navigate(back));
  const deletion = useDeletePhotos(event.id, (deleted) => {
    if (address.openId !== null && deleted.includes(address.openId)) address.close();
    list.remove(deleted);
    selection.remove(deleted);
    void client.invalidateQueries({ queryKey: peopleKey(event.id) });
  });
  useSelectionKeys({
    onSelectAll: () => void selection.selectAll(),
    onClear: selection.clear,
    onDelete: () => undefined,
  });

  const select = (id: string, { shiftKey }: ModifierKeys) =>
    shiftKey ? selection.extend(id, photos) : selection.toggle(id);
  const press = (id: string, keys: ModifierKeys) => {
    if (selection.active || keys.shiftKey || keys.ctrlKey || keys.metaKey) select(id, keys);
    else address.open(id);
  };
  // The same for every render: the grid calls another one at once, which would try again and again what failed.
  const loadOlder = useCallback(() => void loadMore(), [loadMore]);
  const total = gallery?.total ?? 0;
  const count = selection.ids.length;
  const failure = person.error ?? (gallery === undefined ? list.error : null);
  const isGone = failure instanceof ApiError && failure.status === 404;
  return (
    <>
      <Button component={Link} to={back} startIcon={<Icon name="arrowLeft" />} sx={{ mb: 3, ml: -2 }}>
        {t`All people`}
      </Button>
      <Box
        sx={{
          display: 'flex',
          flexDirection: { xs: 'column', md: 'row' },
          gap: { xs: 3, md: 5 },
          mb: { md: 4 },
        }}
      >
        <FacePicture url={person.data?.picture_url} size={92} />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, mb: 4 }}>
            <Box sx={{ flex: '1 1 240px' }}>
              <Typography variant="h2">{t`Photos of this person`}</Typography>
              {person.data !== undefined && (
                <Typography color="textSecondary" sx={{ mt: 0.5 }}>
                  {photosText(person.data.photos)}
                </Typography>
              )}
            </Box>
            {person.data !== undefined && (
              <>
                <Button
                  variant="outlined"
                  loading={hiding.isPending}
                  startIcon={<Icon name={person.data.hidden ? 'eye' : 'eyeOff'} />}
                  onClick={() => hiding.mutate(!person.data.hidden)}
                >
                  {person.data.hidden ? t`Show again` : t`Hide`}
                </Button>
                {total > 1 && (
                  <Button
                    ref={split}
                    variant="outlined"
                    onClick={selection.active ? selection.clear : selection.start}
                  >
                    {selection.active ? t`Cancel` : t`Split`}
                  </Button>
                )}
                <Button
                  variant="outlined"
                  startIcon={<Icon name="download" />}
                  loading={saving.isPending}
                  onClick={() => saving.mutate()}
                >
                  {t`Download photos`}
                </Button>
              </>
            )}
          </Box>
        </Box>
      </Box>

      {failure !== null &&
        (isGone ? (
          <Typography role="alert">{t`This person is no longer there`}</Typography>
        ) : (
          <LoadError
            text={errorMessage(failure, t`Failed to load this person. Please try again.`)}
            busy={person.isFetching || list.isFetching}
            onRetry={() => {
              void person.refetch();
              void list.refetch();
            }}
          />
        ))}
      {failure === null && gallery === undefined && <GridSkeleton />}
      {gallery !== undefined && !isGone && (
        <PhotoGrid
          ref={grid}
          photos={photos}
          selectedIds={new Set(selection.ids)}
          selecting={selection.active}
          onPress={press}
          onSelect={select}
          onNearEnd={loadOlder}
          onExtend={(id, from) => selection.extend(id, photos, from)}
          onDragStart={selection.startDrag}
          onDrag={selection.drag}
        />
      )}
      {list.loadFailed && (
        <LoadError
          text={t`Failed to load photos. Please try again.`}
          busy={false}
          onRetry={() => void loadMore()}
        />
      )}
      {selection.active && (
        <SelectionFrame text={countText(count)} note={splitNote(count, total)} onClear={selection.clear}>
          <Button
            size="small"
            variant="contained"
            color="primary"
            loading={splitting.isPending}
            disabled={count === 0 || count >= total || count > splitLimit}
            onClick={() =>
              splitting.mutate(selection.ids, {
                onSuccess: () => {
                  selection.clear();
                  split.current?.focus();
                },
              })
            }
          >
            {t`Split off`}
          </Button>
        </SelectionFrame>
      )}
      {lightbox.Component !== null && address.openId !== null && (
        <lightbox.Component
          managed
          photos={photos}
          total={total}
          currentId={address.openId}
          onChange={(id) => {
            address.view(id);
            if (photos.at(-1)?.id === id) void loadMore();
          }}
          onDelete={(id) => {
            if (deletion.isPending) return;
            setLeaving([id]);
            deletion.mutate([id]);
          }}
          onClose={address.close}
        />
      )}
    </>
  );
}
