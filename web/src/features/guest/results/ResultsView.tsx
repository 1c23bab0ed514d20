import { useEffect, useRef, useState } from 'react';
import { Alert } from '../../../shared/components/Alert';
import { Icon } from '../../../shared/components/Icon';
import { ProgressBar } from '../../../shared/components/ProgressBar';
import { useLazyComponent } from '../../../shared/components/useLazyComponent';
import { useSnackbar } from '../../../shared/components/useSnackbar';
import { Button } from '../Button';
import { PhotoPicker } from '../capture/PhotoPicker';
import { IndexingProgress } from '../IndexingProgress';
import { DownloadBar } from '../saving/DownloadBar';
import type { Downloads } from '../saving/useDownloads';
import { type Indexing, matchId } from '../search/matches';
import { linksExpired } from '../search/savedSearch';
import { type CompletedSearch, maxSelfies } from '../search/search';
import { searchingText } from '../search/SearchingView';
import { StrictnessSwitch } from '../search/StrictnessSwitch';
import type { FaceSearch } from '../search/useFaceSearch';
import { MatchTile } from './MatchTile';
import { MasonryGrid, ResultsColumn, ResultsHeader } from './ResultsLayout';
import styles from './ResultsView.module.css';

/** Delay in milliseconds before new results scroll into view. */
export const scrollDelay = 500;

const importLightbox = () => import('./MatchLightbox');

/** The matched photos and their actions. */
export function ResultsView({
  eventName,
  found: { query, result },
  searching,
  search,
  downloads,
  indexing,
}: {
  eventName: string;
  found: CompletedSearch;
  /** A search is running whose result will replace these photos. */
  searching: boolean;
  search: FaceSearch;
  downloads: Downloads;
  indexing: Indexing;
}) {
  const { matches } = result;
  const { completedSearches } = search;
  const show = useSnackbar();
  const top = useRef<HTMLElement>(null);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const lightbox = useLazyComponent(importLightbox);
  // The result whose images failed to load; a later result has fresh links.
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

  const open = async (id: string) => {
    try {
      await lightbox.load();
      setOpenedId(id);
    } catch {
      show({ tone: 'error', text: 'The photo could not be opened. Please check your connection.' });
    }
  };

  return (
    <ResultsColumn ref={top} aria-busy={searching}>
      <ResultsHeader
        key={completedSearches}
        preview={query.selfies[0]?.preview ?? null}
        glowing={completedSearches > 0}
        title="Your Matched Photos"
        status={searching ? searchingText : `${matches.length} from ${eventName}`}
      />
      <div className={styles['actions']}>
        <Button look="outlined" size="pill" onClick={search.searchAgain} disabled={searching}>
          <Icon name="refresh" size={16} />
          Search Again
        </Button>
        <Button look="outlined" size="pill" onClick={search.reset}>
          <Icon name="camera" size={16} />
          Take New Photo
        </Button>
        <PhotoPicker look="pill" onPick={(file) => void search.submit(file)}>
          upload a different photo
        </PhotoPicker>
        {query.selfies.length < maxSelfies && (
          <Button look="outlined" size="pill" onClick={search.addSelfie}>
            <Icon name="plus" size={16} />
            Add a selfie
          </Button>
        )}
      </div>
      {searching && (
        <div className={styles['notice']}>
          <ProgressBar large label="Searching" />
        </div>
      )}
      {linksAreStale && !searching && (
        <div className={styles['notice']}>
          <Alert tone="warning">
            The links to these photos have run out. ‘Search Again’ with the same selfie brings them back.
          </Alert>
        </div>
      )}
      <MasonryGrid label="Your Matched Photos">
        {matches.map((match, index) => (
          <MatchTile
            key={matchId(match)}
            match={match}
            position={index + 1}
            total={matches.length}
            download={downloads.states[matchId(match)]}
            saved={downloads.saved.has(matchId(match))}
            onOpen={() => void open(matchId(match))}
            onDownload={() => downloads.download(match, index + 1)}
            onCancel={() => downloads.cancel(match)}
            onBroken={() => setBrokenAnswer(result.receivedAt)}
          />
        ))}
      </MasonryGrid>
      <div className={styles['more']}>
        <StrictnessSwitch value={query.strictness} onChange={search.setStrictness} />
        <IndexingProgress indexing={indexing} />
      </div>
      <DownloadBar
        matches={matches}
        downloadToken={result.downloadToken}
        downloads={downloads}
        renewDownloadToken={search.renewDownloadToken}
      />
      {lightbox.Component !== null && openedId !== null && (
        <lightbox.Component
          matches={matches}
          startId={openedId}
          downloads={downloads}
          onClose={() => setOpenedId(null)}
        />
      )}
    </ResultsColumn>
  );
}
