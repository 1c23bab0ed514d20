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
import { Column, ColumnHead, GridFrame, TileGrid } from './Column';
import { DownloadBar } from './DownloadBar';
import { IndexingLine } from './IndexingLine';
import { idOf, type Indexing } from './matches';
import { MatchTile } from './MatchTile';
import { PhotoPicker } from './PhotoPicker';
import { linksExpired } from './savedSearch';
import { type Found, selfieLimit } from './search';
import { searchingText } from './SearchingView';
import { SelfiePreview } from './SelfiePreview';
import { StrictnessSwitch } from './StrictnessSwitch';
import type { Downloads } from './useDownloads';
import type { FaceSearch } from './useFaceSearch';
import { ViewTitle } from './ViewTitle';

/** Milliseconds after which new results scroll into view. */
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

/** The photos the person is in, with everything that can be done with them. */
export function ResultsView({
  eventName,
  found: { query, answer },
  searching,
  search,
  downloads,
  indexing,
}: {
  eventName: string;
  found: Found;
  /** A search runs whose answer will take the place of these photos. */
  searching: boolean;
  search: FaceSearch;
  downloads: Downloads;
  indexing: Indexing;
}) {
  const { matches } = answer;
  const { arrivals } = search;
  const show = useSnackbar();
  const top = useRef<HTMLElement>(null);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const lightbox = useLazyComponent(importLightbox);
  // The answer whose pictures did not load; a later answer has fresh links.
  const [brokenAnswer, setBrokenAnswer] = useState<number | null>(null);
  const [openedAt] = useState(Date.now);
  const stale = brokenAnswer === answer.receivedAt || linksExpired(answer, openedAt);

  useEffect(() => {
    if (arrivals === 0) return undefined;
    const timer = setTimeout(() => {
      const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      top.current?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
    }, scrollDelay);
    return () => clearTimeout(timer);
  }, [arrivals]);

  const open = async (id: string) => {
    try {
      await lightbox.load();
      setOpenedId(id);
    } catch {
      show({ tone: 'error', text: 'The photo could not be opened. Please check your connection.' });
    }
  };

  return (
    <Column id="main" ref={top} sx={{ scrollMarginTop: 64 }} aria-busy={searching}>
      <ColumnHead>
        <SelfiePreview
          key={arrivals}
          preview={query.selfies[0]?.preview ?? null}
          size={64}
          glowing={arrivals > 0}
        />
        <div>
          <ViewTitle component="h1">Your Matched Photos</ViewTitle>
          <Typography variant="body2" color="textSecondary" role="status" sx={{ overflowWrap: 'anywhere' }}>
            {searching ? searchingText : `${matches.length} from ${eventName}`}
          </Typography>
        </div>
      </ColumnHead>
      <Actions>
        <Pill variant="outlined" onClick={search.again} disabled={searching}>
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
        {query.selfies.length < selfieLimit && (
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
      {stale && !searching && (
        <Box sx={{ mb: 3.5 }}>
          <Alert tone="warning">
            The links to these photos have run out. ‘Search Again’ with the same selfie brings them back.
          </Alert>
        </Box>
      )}
      <GridFrame>
        <TileGrid aria-label="Your Matched Photos">
          {matches.map((match, index) => (
            <MatchTile
              key={idOf(match)}
              match={match}
              place={index + 1}
              total={matches.length}
              download={downloads.states[idOf(match)]}
              saved={downloads.saved.has(idOf(match))}
              onOpen={() => void open(idOf(match))}
              onDownload={() => downloads.download(match, index + 1)}
              onCancel={() => downloads.cancel(match)}
              onBroken={() => setBrokenAnswer(answer.receivedAt)}
            />
          ))}
        </TileGrid>
      </GridFrame>
      <Box sx={{ display: 'grid', justifyItems: 'center', gap: 3.5, mt: 6 }}>
        <StrictnessSwitch value={query.strictness} onChange={search.setStrictness} />
        <IndexingLine indexing={indexing} />
      </Box>
      <DownloadBar
        matches={matches}
        downloadToken={answer.downloadToken}
        downloads={downloads}
        renew={search.renew}
      />
      {lightbox.Component !== null && openedId !== null && (
        <lightbox.Component
          matches={matches}
          startId={openedId}
          downloads={downloads}
          onClose={() => setOpenedId(null)}
        />
      )}
    </Column>
  );
}
