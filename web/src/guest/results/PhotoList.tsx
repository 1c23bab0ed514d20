import { t } from '@lingui/core/macro';
import { useCallback, useRef, useState } from 'react';
import { sameOrigin } from '../../platform/api/links';
import type { PublicEvent } from '../../platform/api/types';
import { stackText } from '../../platform/stackTexts';
import { useLazyComponent } from '../../ui/useLazyComponent';
import { useSnackbar } from '../../ui/useSnackbar';
import type { Stacks } from '../../ui/useStacks';
import { Imported } from '../Imported';
import type { Downloads } from '../downloads/useDownloads';
import { type Album, type Match, matchId } from '../search/matches';
import { useHistoryLayer } from '../useHistoryLayer';
import { MatchGrid } from './MatchGrid';
import type { KeptSearch } from '../strangers/softened';
import type { Action } from './ActionSheet';
import { ShownPhotosContext } from './shownPhotos';
import type { Choice } from './useChoice';

const importLightbox = () => import('./MatchLightbox');
const importWithoutStrangers = async () => (await import('../strangers/start')).importWithoutStrangers();
const importAskSheet = async () => (await import('../questions/start')).importAskSheet();

/** Before it is needed, as the network may be lost until then; a failure is said when it is needed. */
const preload = () => void importLightbox().catch(() => undefined);

const noActions = (): Action[] => [];
const noSearches: readonly KeptSearch[] = [];

/** Photos as a grid, and what can be done with one of them: the viewer, its menu, and a question to the photographer. */
export function PhotoList({
  label,
  event,
  matches,
  albums,
  total = matches.length,
  downloads,
  hearts,
  choice,
  stacks,
  busy = false,
  actionsOf = noActions,
  keptSearches = noSearches,
  onFailed,
  onShow,
}: {
  label: string;
  event: Pick<PublicEvent, 'slug' | 'takes_questions'>;
  matches: readonly Match[];
  /** Those that the photos are in. */
  albums: readonly Album[];
  /** How many there are with those that are not loaded yet. */
  total?: number;
  downloads: Downloads;
  hearts: {
    /** The photos on which the guest has put a heart. */
    ids: ReadonlySet<string>;
    /** Puts a heart on a photo, or takes it back. Returns whether that takes the photo out of these. */
    toggle: (match: Match) => boolean;
  };
  choice: Pick<Choice, 'ids' | 'toggle'>;
  /** Of which these are the photos that are shown. */
  stacks: Pick<Stacks<Match>, 'stackOf' | 'toggle'>;
  /** Others will take the place of these photos: nothing is done with them meanwhile. */
  busy?: boolean;
  /** What takes a photo out of these. */
  actionsOf?: (match: Match) => readonly Action[];
  /** Those by which faces are kept where strangers are softened. */
  keptSearches?: readonly KeptSearch[];
  /** An image could not be loaded. */
  onFailed: (link: string) => void;
  /** A photo is in sight in the viewer. */
  onShow?: (id: string) => void;
}) {
  const show = useSnackbar();
  const [openedId, setOpenedId] = useState<string | null>(null);
  // The photo that the viewer showed last, which gets the focus back.
  const [closedId, setClosedId] = useState<string | null>(null);
  /** To be called when a photo leaves those that are shown. */
  const takenOut = (match: Match) => {
    const at = matches.indexOf(match);
    downloads.dropFetched();
    // The viewer keeps the focus.
    if (openedId !== null) return;
    const next = matches[at + 1] ?? matches[at - 1];
    if (next === undefined) document.querySelector<HTMLElement>('[data-view-title]')?.focus();
    else setClosedId(matchId(next));
  };
  const removalsOf = (match: Match): Action[] =>
    actionsOf(match).map(({ label: name, run }) => ({
      label: name,
      run: () => {
        run();
        takenOut(match);
      },
    }));
  // The photo that the guest asks the photographer about.
  const [asked, setAsked] = useState<Match | null>(null);
  // The photo that is shared without strangers.
  const [softened, setSoftened] = useState<Match | null>(null);
  const savesFiles = downloads.offered !== 'none' && downloads.method !== 'leave';
  const toggleStack = (stack: string) => {
    downloads.restartShare();
    stacks.toggle(stack);
  };
  const stackActionOf = (match: Match): Action[] => {
    const stack = stacks.stackOf(match);
    return stack?.isBest ? [{ label: stackText(stack), run: () => toggleStack(stack.id) }] : [];
  };
  const optionsOf = (match: Match): Action[] => [
    ...stackActionOf(match),
    ...(savesFiles && keptSearches.length > 0 && match.s3_key !== null
      ? [{ label: t`Share without strangers`, run: () => setSoftened(match) }]
      : []),
    ...(event.takes_questions && match.s3_key !== null
      ? [{ label: t`Ask the photographer`, run: () => setAsked(match) }]
      : []),
    ...removalsOf(match),
  ];
  const toggleHeart = (match: Match) => {
    if (hearts.toggle(match)) takenOut(match);
  };
  // The photo that the viewer shows.
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
      onShow?.(id);
    },
    [onShow],
  );
  useHistoryLayer(lightbox.Component !== null && openedId !== null, close);
  const open = async (id: string) => {
    try {
      await lightbox.load();
      setClosedId(null);
      setOpenedId(id);
      setClosedId(null);
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
        label,
        matches,
        albums,
        total,
        downloads,
        heartedIds: hearts.ids,
        chosenIds: choice.ids,
        stackOf: stacks.stackOf,
        onStack: toggleStack,
      }}
    >
      <MatchGrid
        focusId={closedId}
        onOpen={(id) => (choice.ids === null ? void open(id) : choice.toggle(id))}
        onFailed={onFailed}
        onLoaded={(id, link) => loaded.set(id, link)}
        onFirstLoaded={preload}
      />
      {lightbox.Component !== null && openedId !== null && (
        <lightbox.Component
          startId={openedId}
          loaded={loaded}
          onHeart={toggleHeart}
          actionsOf={busy ? noActions : optionsOf}
          onShow={see}
          onClose={close}
        />
      )}
      {softened !== null && (
        <Imported
          from={importWithoutStrangers}
          props={{
            slug: event.slug,
            match: softened,
            position: matches.findIndex((match) => matchId(match) === matchId(softened)) + 1,
            searches: keptSearches,
            onClose: () => setSoftened(null),
          }}
        />
      )}
      {asked !== null && (
        <Imported
          from={importAskSheet}
          props={{
            slug: event.slug,
            photoKey: asked.s3_key ?? '',
            picture: asked.thumbnail_url === null ? null : sameOrigin(asked.thumbnail_url),
            onClose: () => setAsked(null),
          }}
        />
      )}
    </ShownPhotosContext>
  );
}
