import { plural, t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { PublicEvent } from '../../platform/api/types';
import { momentsText } from '../../platform/stackTexts';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import { ProgressBar } from '../../ui/ProgressBar';
import { useStacks } from '../../ui/useStacks';
import { Button } from '../Button';
import { Imported } from '../Imported';
import { useMenuEntry } from '../menuEntries';
import { RemoveMe } from '../objections/views';
import { ActionRow } from '../results/ActionRow';
import { AllPhotosButton } from '../results/AllPhotosButton';
import { AlbumSwitch } from '../results/AlbumSwitch';
import { linkHasExpired } from '../results/linkExpiry';
import { PhotoList } from '../results/PhotoList';
import { ResultsColumn, SkeletonGrid } from '../results/ResultsLayout';
import { ResultsPanes } from '../results/ResultsPanes';
import { useChoice } from '../results/useChoice';
import { useHearts } from '../hearts/useHearts';
import { DownloadBar } from '../downloads/DownloadBar';
import { asOffered } from '../downloads/offered';
import { savingMethod } from '../downloads/platform';
import { useDownloads } from '../downloads/useDownloads';
import { matchId } from '../search/matches';
import { useSlow } from '../search/SearchProgress';
import type { FaceSearch } from '../search/useFaceSearch';
import text from '../text.module.css';
import { useHistoryLayer } from '../useHistoryLayer';
import { ViewTitle } from '../ViewTitle';
import styles from './browsing.module.css';
import { useAllPhotos } from './useAllPhotos';
import { useMissedPhotos } from './useMissedPhotos';

export interface BrowsingProps {
  event: PublicEvent;
  slug: string;
  /** The guest's own search. */
  search: FaceSearch;
  /** Whether this is the browser inside an app, which saves nothing. */
  inApp: boolean;
  /** Shows this view, or, for null, the start. */
  onShow: (view: BrowsingView) => void;
}

/** The view of all photos; null while it is closed. */
export type BrowsingView = ((props: BrowsingProps) => ReactNode) | null;

const importDownloadAll = () => import('./DownloadAll');

/** How far from the window more photos are loaded, in px. */
const ahead = 1500;
/** Photos that are chosen here were found by no search; the ZIP of all has a token of its own. */
const noTokens: readonly string[] = [];
/** Photos before the last one that is loaded at which the viewer has more of them loaded. */
const nearEnd = 10;

/** Calls `onNear` whenever its place comes near the window. */
function LoadingPlace({ onNear }: { onNear: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onNear();
      },
      { rootMargin: `${ahead}px` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [onNear]);
  return <div ref={place} />;
}

function Loading() {
  const slow = useSlow();
  return (
    <>
      <div className={styles['progress']}>
        <ProgressBar label={t`Loading photos`} />
      </div>
      <p className={text['caption']} role="status">
        {slow && t`This takes longer than usual. Please keep this page open.`}
      </p>
    </>
  );
}

/** All photos of an event, for guests who may look at them. The search stays the way to their own. */
export function AllPhotos({ event, slug, search, inApp, onShow }: BrowsingProps) {
  const [album, setAlbum] = useState<string | null>(null);
  const { photos, albums, total, moments, next, loading, failure, receivedAt, ...list } = useAllPhotos(
    slug,
    album,
  );
  const { loadMore, reload } = list;
  // The way out of an app's browser is a link to the results of a search.
  const downloads = useDownloads(savingMethod(inApp), inApp ? { ...event, downloads: 'none' } : event);
  const { offered, keepsNames } = downloads;
  const matches = useMemo(() => asOffered(photos, { offered, keepsNames }), [photos, offered, keepsNames]);
  const stacks = useStacks(matches, true);
  const opened = stacks.photos.length - stacks.moments;
  const areStacked = total !== null && moments !== null && moments < total;
  const hearts = useHearts(slug);
  const choice = useChoice(downloads.beginChoice);
  const chosen = useMemo(
    () => (choice.ids === null ? [] : matches.filter((match) => choice.ids?.has(matchId(match)))),
    [choice.ids, matches],
  );
  const [stale, setStale] = useState(false);
  const [takesAll, setTakesAll] = useState(false);
  const missed = useMissedPhotos(slug, search);
  useHistoryLayer(
    true,
    () => onShow(null),
    () => {
      onShow(AllPhotos);
      return true;
    },
  );
  const loadAgain = () => {
    setStale(false);
    reload();
  };
  useMenuEntry(t`Find my photos`, () => onShow(null));
  const empty = matches.length === 0;
  return (
    <ResultsColumn aria-busy={loading}>
      <ResultsPanes
        head={
          <>
            <div className={styles['header']}>
              <ViewTitle component="h1">{t`All photos`}</ViewTitle>
              <p className={text['small']} role="status">
                {areStacked
                  ? momentsText(total, moments)
                  : total !== null && plural(total, { one: '# photo', other: '# photos' })}
              </p>
            </div>
            <ActionRow>
              <AlbumSwitch
                albums={albums}
                value={album}
                onChange={(chosenAlbum) => {
                  downloads.restartShare();
                  if (choice.ids !== null) choice.change();
                  setAlbum(chosenAlbum);
                }}
              />
              <Button look="outlined" size="pill" onClick={() => onShow(null)}>
                <Icon name="camera" size={16} />
                {t`Find my photos`}
              </Button>
              {areStacked && <AllPhotosButton count={total} stacks={stacks} downloads={downloads} />}
              {offered !== 'none' && !empty && (
                <Button look="outlined" size="pill" aria-haspopup="dialog" onClick={() => setTakesAll(true)}>
                  <Icon name="download" size={16} />
                  {t`Download all`}
                </Button>
              )}
              {offered !== 'none' && !empty && (
                <Button
                  look="outlined"
                  size="pill"
                  aria-pressed={choice.ids !== null}
                  onClick={choice.change}
                >
                  <Icon name="grid" size={16} />
                  {t`Choose photos`}
                </Button>
              )}
            </ActionRow>
            {stale && (
              <div className={styles['notice']}>
                <Alert tone="warning">{t`The links to these photos have run out.`}</Alert>
                <Button look="outlined" size="pill" onClick={loadAgain}>
                  <Icon name="refresh" size={16} />
                  {t`Load the photos again`}
                </Button>
              </div>
            )}
          </>
        }
      >
        <PhotoList
          label={t`All photos`}
          event={event}
          matches={stacks.photos}
          stacks={stacks}
          albums={albums}
          total={Math.max((moments ?? total ?? 0) + opened, stacks.photos.length)}
          downloads={downloads}
          hearts={{
            ids: hearts.ids,
            toggle: (match) => {
              hearts.toggle(match);
              return false;
            },
          }}
          choice={choice}
          actionsOf={missed.actionsOf}
          onFailed={(link) => {
            if (linkHasExpired(link, { receivedAt }, Date.now())) setStale(true);
          }}
          onShow={(id) => {
            const shown = stacks.photos;
            if (shown.findIndex((match) => matchId(match) === id) >= shown.length - nearEnd) loadMore();
          }}
        />
        {empty && loading && <SkeletonGrid />}
        {empty && !loading && failure === null && (
          <p className={text['subtitle']}>{t`The photos are not here yet. Come back a little later.`}</p>
        )}
        {next !== null && !loading && failure === null && <LoadingPlace onNear={loadMore} />}
        <div className={styles['more']}>
          {failure !== null && (
            <>
              <Alert tone="warning">{failure}</Alert>
              <Button look="outlined" onClick={list.tryAgain}>
                <Icon name="refresh" />
                {t`Try again`}
              </Button>
            </>
          )}
          {loading && <Loading />}
          {!empty && next === null && (
            <>
              {inApp && event.downloads !== 'none' && (
                <p className={text['small']}>{t`To save photos, open this page in your own browser.`}</p>
              )}
              {event.downloads === 'none' && (
                <p className={text['small']}>{t`The photographer shows these photos without downloads.`}</p>
              )}
              <RemoveMe slug={slug} until={event.expires_at} onRemoved={loadAgain} />
            </>
          )}
        </div>
        {missed.sheet}
        {takesAll && (
          <Imported
            from={importDownloadAll}
            props={{
              slug,
              album,
              counts: areStacked ? { photos: total, moments } : null,
              onClose: () => setTakesAll(false),
            }}
          />
        )}
        {(choice.ids !== null || downloads.bulk.phase !== 'idle') && (
          <DownloadBar
            matches={chosen}
            chosen
            onlyChosen
            downloadTokens={noTokens}
            downloads={downloads}
            onChoose={choice.change}
            renewDownloadTokens={() => Promise.resolve(null)}
          />
        )}
      </ResultsPanes>
    </ResultsColumn>
  );
}
