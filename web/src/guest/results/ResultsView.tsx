import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { PublicEvent } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import { useStacks } from '../../ui/useStacks';
import { momentsText } from '../../platform/stackTexts';
import { formatCount } from '../../platform/formats';
import { Button } from '../Button';
import { PhotoPicker } from '../capture/PhotoPicker';
import { IndexingProgress } from '../IndexingProgress';
import { KeepPhotos } from '../kept/views';
import { useMenuEntry } from '../menuEntries';
import { RemoveMe } from '../objections/views';
import { DownloadBar } from '../downloads/DownloadBar';
import type { InAppBrowser } from '../downloads/inAppBrowsers';
import { asOffered } from '../downloads/offered';
import { LeaveDialog } from '../downloads/LeaveDialog';
import type { Downloads } from '../downloads/useDownloads';
import {
  type FaceBox,
  type Indexing,
  type Match,
  matchId,
  type SearchResult,
  tokensOf,
} from '../search/matches';
import { linksExpired } from '../search/savedSearch';
import { type CompletedSearch, maxSelfies } from '../search/search';
import { blurredSelfieText } from '../search/blurredSelfie';
import { searchingText } from '../search/SearchingView';
import text from '../text.module.css';
import { SearchProgress } from '../search/SearchProgress';
import { StrictnessSwitch } from '../search/StrictnessSwitch';
import type { FaceSearch } from '../search/useFaceSearch';
import type { KeptSearch } from '../strangers/softened';
import { TellMe } from '../subscriptions/views';
import { ActionRow } from './ActionRow';
import { AllPhotosButton } from './AllPhotosButton';
import { linkHasExpired } from './linkExpiry';
import { PhotoList } from './PhotoList';
import { ResultsHeader } from './ResultsHeader';
import { ResultsColumn } from './ResultsLayout';
import { ResultsPanes } from './ResultsPanes';
import styles from './ResultsView.module.css';
import { type Action, ActionSheet } from './ActionSheet';
import type { Group } from './groups';
import { ShareResults } from './ShareResults';
import { useChoice } from './useChoice';
import { useHearts } from '../hearts/useHearts';

/** Delay in milliseconds before new results scroll into view. */
export const scrollDelay = 500;

/** The face that was searched for, if the first selfie has several. */
const faceOf = ({ query, result }: CompletedSearch): FaceBox | null =>
  result.faces.length > 1 ? (result.faces[query.face ?? 0] ?? null) : null;

/** The tokens of a result that cover these of its photos: one of others that has ended would stand in the way of their ZIP. */
function tokensFor(result: SearchResult, photos: readonly Match[]): readonly string[] {
  const needed = new Set(photos.flatMap((match) => tokensOf(result, match)));
  const tokens = result.downloadTokens.filter((token) => needed.has(token));
  // Until photos are chosen, the ZIP is still offered.
  return tokens.length > 0 ? tokens : result.downloadTokens;
}

/** The matched photos and their actions. */
export function ResultsView({
  event,
  inApp,
  found,
  mine,
  running,
  search,
  downloads,
  actionsOf,
  keptSearches,
  noneText,
  group = 'me',
  groupSwitch,
  indexing,
  onNewPhoto,
  onAddSelfie,
  onAddFriend,
  onPick,
}: {
  event: PublicEvent;
  /** The in-app browser of this page; null in a browser of its own. */
  inApp: InAppBrowser | null;
  found: CompletedSearch;
  /** The guest's own search, whole: of its photos, some or those of others may be on the screen. */
  mine: CompletedSearch;
  /** The search whose result will replace these photos; null if none is running. */
  running: { retryAt: number | null } | null;
  search: FaceSearch;
  downloads: Downloads;
  /** What takes a photo out of these. */
  actionsOf: (match: Match) => readonly Action[];
  /** Those by which faces are kept where strangers are softened. */
  keptSearches: readonly KeptSearch[];
  /** Said where there are no photos. */
  noneText: string;
  /** Whose photos these are. */
  group?: Group;
  /** Chooses whose photos these are. */
  groupSwitch?: ReactNode;
  indexing: Indexing;
  onNewPhoto: () => void;
  onAddSelfie: () => void;
  /** Begins the search for a second person; undefined if there is one. */
  onAddFriend?: () => void;
  onPick: (file: File) => void;
}) {
  const searching = running !== null;
  const { query, result } = found;
  // Results that were opened again without their selfie cannot be searched for again, unless this device keeps the search.
  const hasSelfie = query.selfies.length > 0 || query.kept !== null;
  const { offered, keepsNames } = downloads;
  const all = useMemo(
    () => asOffered(result.matches, { offered, keepsNames }),
    [result.matches, offered, keepsNames],
  );
  const hearts = useHearts(event.slug);
  const favourites = all.filter((match) => hearts.ids.has(matchId(match)));
  const [onlyFavourites, setOnlyFavourites] = useState(false);
  // Without a favourite all are shown again.
  const filtered = onlyFavourites && favourites.length > 0;
  const matches = filtered ? favourites : all;
  const title = filtered ? t`Your Favourites` : t`Your Matched Photos`;
  // Favourites were chosen one by one: each of them is shown.
  const stacks = useStacks(matches, !filtered);
  const areStacked = stacks.moments < matches.length;
  const bestOfEach = stacks.photos.length < matches.length;
  const { completedSearches } = search;
  const [othersShown, showOthers] = useState(false);
  const others: Action[] =
    query.selfies.length > 0 && query.selfies.length < maxSelfies
      ? [{ label: t`Add a selfie`, run: onAddSelfie }]
      : [];
  const top = useRef<HTMLElement>(null);
  const chosen = useChoice(downloads.beginChoice);
  const showFavourites = (only: boolean) => {
    downloads.restartShare();
    setOnlyFavourites(only);
  };
  useMenuEntry(
    favourites.length === 0 || filtered ? null : t`Favourites (${{ count: formatCount(favourites.length) }})`,
    () => showFavourites(true),
  );
  const toggleHeart = (match: Match): boolean => {
    hearts.toggle(match);
    if (filtered && favourites.length === 1) showFavourites(false);
    return filtered && favourites.length > 1;
  };
  const chosenIds = chosen.ids;
  const toSave =
    chosenIds === null ? stacks.photos : matches.filter((match) => chosenIds.has(matchId(match)));
  // The result whose links have run out; a later result has fresh ones.
  const [brokenAnswer, setBrokenAnswer] = useState<number | null>(null);
  const [openedAt] = useState(Date.now);
  const linksAreStale = brokenAnswer === result.receivedAt || linksExpired(result, openedAt);

  useEffect(() => {
    if (completedSearches === 0) return undefined;
    const timer = setTimeout(() => {
      const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      top.current?.scrollIntoView({ behavior: reducedMotion ? 'auto' : 'smooth', block: 'start' });
    }, scrollDelay);
    return () => clearTimeout(timer);
  }, [completedSearches]);

  return (
    <ResultsColumn ref={top} aria-busy={searching}>
      <ResultsPanes
        head={
          <>
            <ResultsHeader
              key={completedSearches}
              preview={query.selfies[0]?.preview ?? null}
              face={faceOf(found)}
              glowing={completedSearches > 0}
              title={title}
              status={
                searching
                  ? searchingText()
                  : areStacked
                    ? momentsText(matches.length, stacks.moments)
                    : t`${{ count: matches.length }} from ${{ eventName: event.name }}`
              }
              menu={
                others.length > 0 && (
                  <Button
                    className={styles['menu']}
                    aria-label={t`More for these photos`}
                    aria-haspopup="dialog"
                    onClick={() => showOthers(true)}
                  >
                    <Icon name="more" size={24} />
                  </Button>
                )
              }
            />
            <ActionRow>
              {groupSwitch}
              {hasSelfie && (
                <Button
                  look="outlined"
                  size="pill"
                  onClick={searching ? undefined : search.searchAgain}
                  aria-disabled={searching}
                >
                  <Icon name="refresh" size={16} />
                  {t`Search Again`}
                </Button>
              )}
              <Button look="outlined" size="pill" onClick={onNewPhoto}>
                <Icon name="camera" size={16} />
                {t`Take New Photo`}
              </Button>
              <PhotoPicker look="pill" onPick={onPick}>
                {t`upload a different photo`}
              </PhotoPicker>
              {onAddFriend !== undefined && !searching && (
                <Button look="outlined" size="pill" onClick={onAddFriend}>
                  <Icon name="user" size={16} />
                  {t`Add a friend`}
                </Button>
              )}
              {areStacked && <AllPhotosButton count={matches.length} stacks={stacks} downloads={downloads} />}
              {favourites.length > 0 && (
                <Button
                  look={filtered ? 'filled' : 'outlined'}
                  size="pill"
                  aria-pressed={filtered}
                  onClick={() => showFavourites(!filtered)}
                >
                  <Icon name="heart" size={16} />
                  {t`Favourites (${{ count: formatCount(favourites.length) }})`}
                </Button>
              )}
            </ActionRow>
            {running !== null && <SearchProgress retryAt={running.retryAt} onCancel={search.cancel} />}
            {result.blurred && hasSelfie && !searching && (
              <div className={styles['notice']}>
                <Alert tone="warning">{blurredSelfieText()}</Alert>
              </div>
            )}
            {linksAreStale && !searching && (
              <div className={styles['notice']}>
                <Alert tone="warning">
                  {hasSelfie
                    ? t`The links to these photos have run out. ‘Search Again’ with the same selfie brings them back.`
                    : t`The links to these photos have run out. A new photo of you brings them back.`}
                </Alert>
              </div>
            )}
          </>
        }
      >
        <PhotoList
          label={title}
          event={event}
          matches={stacks.photos}
          stacks={stacks}
          albums={result.albums}
          downloads={downloads}
          hearts={{ ids: hearts.ids, toggle: toggleHeart }}
          choice={chosen}
          busy={searching}
          actionsOf={actionsOf}
          keptSearches={keptSearches}
          onFailed={(link) => {
            if (linkHasExpired(link, result, Date.now())) setBrokenAnswer(result.receivedAt);
          }}
        />
        {matches.length === 0 && <p className={text['subtitle']}>{noneText}</p>}
        {offered !== 'none' && (
          <DownloadBar
            matches={toSave}
            chosen={chosenIds !== null}
            bestOfEach={bestOfEach}
            // Which tokens cover a photo is seen by all of the guest's photos.
            downloadTokens={tokensFor(group === 'both' ? mine.result : result, toSave)}
            downloads={downloads}
            onChoose={chosen.change}
            renewDownloadTokens={search.renewDownloadTokens}
          />
        )}
        <div className={styles['more']}>
          {offered === 'none' && matches.length > 0 && (
            <p className={text['small']}>{t`The photographer shows these photos without downloads.`}</p>
          )}
          {hasSelfie && <StrictnessSwitch value={query.strictness} onChange={search.setStrictness} />}
          <ShareResults slug={event.slug} eventName={event.name} group={group} count={all.length} />
          <IndexingProgress indexing={indexing} />
          <TellMe token={result.subscriptionToken} />
          <KeepPhotos
            slug={event.slug}
            searchToken={result.searchToken}
            shown={result}
            search={mine}
            mails={event.tells_guests !== 'unavailable'}
            renewDownloadTokens={search.renewDownloadTokens}
          />
          <RemoveMe
            slug={event.slug}
            until={event.expires_at}
            selfie={
              query.selfies[0] === undefined ? null : { selfie: query.selfies[0], face: query.face ?? 0 }
            }
            {...(hasSelfie && { onRemoved: search.searchAgain })}
          />
        </div>
      </ResultsPanes>
      {othersShown && (
        <ActionSheet label={t`More for these photos`} actions={others} onClose={() => showOthers(false)} />
      )}
      {inApp !== null && (
        <LeaveDialog
          browser={inApp}
          slug={event.slug}
          result={result}
          downloads={downloads}
          renewDownloadTokens={search.renewDownloadTokens}
        />
      )}
    </ResultsColumn>
  );
}
