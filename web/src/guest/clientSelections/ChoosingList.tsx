import { t } from '@lingui/core/macro';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useLazyComponent } from '../../ui/useLazyComponent';
import { useSnackbar } from '../../ui/useSnackbar';
import type { Stacks } from '../../ui/useStacks';
import type { Downloads } from '../downloads/useDownloads';
import type { Match } from '../search/matches';
import { useHistoryLayer } from '../useHistoryLayer';
import type { ClientPhoto } from './calls';
import { useGrid } from './grid';
import { CornerMark } from './MarkButton';
import type { Mark } from './markSaver';

const importLightbox = () => import('./ChoosingLightbox');

/** Before it is needed, as the network may be lost until then; a failure is said when it is needed. */
const preload = () => void importLightbox().catch(() => undefined);

const nothing = () => undefined;

/** Nothing is saved on the page of a client, who has not got the photos yet. */
const noDownloads: Downloads = {
  offered: 'none',
  keepsNames: true,
  method: 'file',
  states: {},
  saved: new Set(),
  bulk: { phase: 'idle' },
  download: nothing,
  cancel: nothing,
  downloadAll: nothing,
  downloadZip: nothing,
  downloadWeb: nothing,
  shareOne: nothing,
  sendToBrowser: nothing,
  shareRest: (matches) => ({ rest: matches, handled: [] }),
  prepareShare: nothing,
  share: nothing,
  passShare: nothing,
  cancelBulk: nothing,
  restartShare: nothing,
  beginChoice: nothing,
  dropFetched: nothing,
  leaving: null,
  leave: nothing,
  stay: nothing,
};

const noHearts: ReadonlySet<string> = new Set();
const noAlbums: readonly never[] = [];

const matchOf = (photo: ClientPhoto): Match => ({
  face_id: null,
  photo_id: photo.photo_id,
  s3_key: null,
  url: photo.url,
  medium_url: photo.medium_url ?? null,
  thumbnail_url: photo.thumbnail_url,
  color: photo.color ?? null,
  focus: photo.focus ?? undefined,
  size_bytes: null,
  filename: photo.filename,
  albums: [],
  captured_at: null,
  width: photo.width,
  height: photo.height,
});

/** Photos to choose from: the grid with a mark on each, and the viewer. */
export function ChoosingList({
  photos,
  stacks,
  total,
  open,
  markOf,
  onChoose,
  onComment,
  behind,
  onFailed,
  onShow,
}: {
  photos: readonly ClientPhoto[];
  /** Of which these are the photos that are shown. */
  stacks: Pick<Stacks<ClientPhoto>, 'stackOf' | 'toggle'>;
  /** How many there are with those that are not loaded yet. */
  total: number;
  /** Whether something can be changed. */
  open: boolean;
  markOf: (id: string) => Mark;
  onChoose: (id: string, chosen: boolean) => void;
  onComment: (id: string, comment: string) => void;
  /** The stack behind whose best a photo that is not shown stands; undefined where it stands in none. */
  behind: (id: string) => string | undefined;
  /** An image could not be loaded. */
  onFailed: (link: string) => void;
  /** A photo is in sight in the viewer. */
  onShow: (id: string) => void;
}) {
  const show = useSnackbar();
  const { MatchGrid, ShownPhotosContext } = useGrid();
  const matches = useMemo(() => photos.map(matchOf), [photos]);
  const { stackOf } = stacks;
  const stackedIds = useMemo(
    () => new Map(photos.map((photo) => [photo.photo_id, stackOf(photo)])),
    [photos, stackOf],
  );
  const [openedId, setOpenedId] = useState<string | null>(null);
  // The photo that the viewer showed last, which gets the focus back.
  const [closedId, setClosedId] = useState<string | null>(null);
  const seenId = useRef<string | null>(null);
  const [loaded] = useState(() => new Map<string, string>());
  const lightbox = useLazyComponent(importLightbox);
  const close = () => {
    setOpenedId(null);
    setClosedId(seenId.current);
  };
  const see = useCallback(
    (id: string) => {
      seenId.current = id;
      onShow(id);
    },
    [onShow],
  );
  useHistoryLayer(lightbox.Component !== null && openedId !== null, close);
  const look = async (id: string) => {
    try {
      await lightbox.load();
      setClosedId(null);
      setOpenedId(id);
    } catch {
      show({
        tone: 'error',
        text: navigator.onLine
          ? t`The photo could not be opened. Please check your connection.`
          : t`You are offline. The photo can be opened once you are connected again.`,
      });
    }
  };
  return (
    <ShownPhotosContext
      value={{
        label: t`Photos to choose from`,
        matches,
        albums: noAlbums,
        total,
        downloads: noDownloads,
        heartedIds: noHearts,
        chosenIds: null,
        stackOf: (match) => stackedIds.get(match.photo_id ?? ''),
        onStack: stacks.toggle,
        cornerOf: (match, position, tabIndex) => {
          const id = match.photo_id ?? '';
          const { chosen } = markOf(id);
          return (
            <CornerMark
              position={position}
              on={chosen}
              open={open}
              tabIndex={tabIndex}
              onToggle={() => onChoose(id, !chosen)}
            />
          );
        },
      }}
    >
      <MatchGrid
        focusId={closedId}
        onOpen={(id) => void look(id)}
        onFailed={onFailed}
        onLoaded={(id, link) => loaded.set(id, link)}
        onFirstLoaded={preload}
      />
      {lightbox.Component !== null && openedId !== null && (
        <lightbox.Component
          key={openedId}
          startId={openedId}
          photos={photos}
          total={total}
          loaded={loaded}
          open={open}
          markOf={markOf}
          onChoose={onChoose}
          onComment={onComment}
          onShow={see}
          behind={behind}
          onOpenStack={stacks.toggle}
          onClose={close}
        />
      )}
    </ShownPhotosContext>
  );
}
