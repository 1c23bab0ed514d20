import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { ProgressBar } from '../../shared/components/ProgressBar';
import { Icon } from '../../shared/components/Icon';
import { Alert } from '../../shared/components/Alert';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { useLazyComponent } from '../../shared/components/useLazyComponent';
import { GridContainer, MasonryGrid, ResultsContainer, ResultsHeader } from './ResultsLayout';
import { DownloadBar } from './DownloadBar';
import { IndexingProgress } from './IndexingProgress';
import { type Indexing, matchId } from './matches';
import { MatchTile } from './MatchTile';
import { PhotoPicker } from './PhotoPicker';
import { linksExpired } from './savedSearch';
import { type CompletedSearch, maxSelfies } from './search';
import { searchingText } from './SearchingView';
import { SelfiePreview } from './SelfiePreview';
import { StrictnessSwitch } from './StrictnessSwitch';
import type { Downloads } from './useDownloads';
import type { FaceSearch } from './useFaceSearch';
import { ViewTitle } from './ViewTitle';

/** Delay in milliseconds before new results scroll into view. */
export const scrollDelay = 500;

const Actions = styled('div')({
  display: 'flex',
  gap: 8,
  margin: '0 -16px 14px',
  padding: '3px 16px',
  overflowX: 'auto',
  scrollbarWidth: 'none',
});

const Pill = styled(Button)(({ theme }) => ({
  flex: 'none',
  minHeight: 44,
  padding: '0 14px',
  borderRadius: 999,
  borderColor: theme.vars.palette.divider,
  fontSize: 14,
  fontWeight: 500,
}));

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
    <ResultsContainer id="main" ref={top} sx={{ scrollMarginTop: 64 }} aria-busy={searching}>
      <ResultsHeader>
        <SelfiePreview
          key={completedSearches}
          preview={query.selfies[0]?.preview ?? null}
          size={64}
          glowing={completedSearches > 0}
        />
        <div>
          <ViewTitle component="h1">Your Matched Photos</ViewTitle>
          <Typography variant="body2" color="textSecondary" role="status" sx={{ overflowWrap: 'anywhere' }}>
            {searching ? searchingText : `${matches.length} from ${eventName}`}
          </Typography>
        </div>
      </ResultsHeader>
      <Actions>
        <Pill variant="outlined" onClick={search.searchAgain} disabled={searching}>
          <Icon name="refresh" size={16} />
          Search Again
        </Pill>
        <Pill variant="outlined" onClick={search.reset}>
          <Icon name="camera" size={16} />
          Take New Photo
        </Pill>
        <PhotoPicker look="pill" onPick={(file) => void search.submit(file)}>
          upload a different photo
        </PhotoPicker>
        {query.selfies.length < maxSelfies && (
          <Pill variant="outlined" onClick={search.addSelfie}>
            <Icon name="plus" size={16} />
            Add a selfie
          </Pill>
        )}
      </Actions>
      {searching && (
        <Box sx={{ mb: 3.5 }}>
          <ProgressBar large label="Searching" />
        </Box>
      )}
      {linksAreStale && !searching && (
        <Box sx={{ mb: 3.5 }}>
          <Alert tone="warning">
            The links to these photos have run out. ‘Search Again’ with the same selfie brings them back.
          </Alert>
        </Box>
      )}
      <GridContainer>
        <MasonryGrid aria-label="Your Matched Photos">
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
      </GridContainer>
      <Box sx={{ display: 'grid', justifyItems: 'center', gap: 3.5, mt: 6 }}>
        <StrictnessSwitch value={query.strictness} onChange={search.setStrictness} />
        <IndexingProgress indexing={indexing} />
      </Box>
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
    </ResultsContainer>
  );
}
