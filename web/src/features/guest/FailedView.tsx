import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Icon } from '../../shared/components/Icon';
import { Alert } from '../../shared/components/Alert';
import { IndexingProgress } from './IndexingProgress';
import type { Indexing } from './matches';
import { SplitLayout } from './SplitLayout';
import { PhotoPicker } from './PhotoPicker';
import type { SearchFailure, SearchQuery } from './search';
import { SelfiePreview } from './SelfiePreview';
import { useSnackbarOffset } from '../../shared/components/useSnackbarOffset';
import { StrictnessSwitch } from './StrictnessSwitch';
import type { FaceSearch } from './useFaceSearch';
import { ViewTitle } from './ViewTitle';

/** A search without photos: the selfie, the reason and the possible actions. */
export function FailedView({
  cover,
  query,
  failure,
  indexing,
  search,
}: {
  cover: ReactNode;
  query: SearchQuery;
  failure: SearchFailure;
  indexing: Indexing;
  search: FaceSearch;
}) {
  // The snackbar must not cover the actions.
  useSnackbarOffset(150, 0);
  const noMatches = failure.code === 'no_matches';
  const arriving = indexing.waiting > 0 || indexing.total === 0;
  // After a network error the same photo is searched again; otherwise a better one is needed.
  const retrySamePhoto = failure.code === 'network';
  return (
    <SplitLayout labelledBy="find-your-photos" image={cover}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 4, mb: 4, pl: 1 }}>
        <SelfiePreview preview={query.selfies[0]?.preview ?? null} size={72} />
        <ViewTitle id="find-your-photos">Find Your Photos</ViewTitle>
      </Box>
      <Alert tone="error">{failure.text}</Alert>
      {noMatches && (
        <Box sx={{ display: 'grid', gap: 3, mt: 4 }}>
          {arriving && (
            <Typography variant="body2" color="textSecondary">
              Photos are still being added. Leave this page open, or come back a little later.
            </Typography>
          )}
          <IndexingProgress indexing={indexing} />
          <StrictnessSwitch value={query.strictness} onChange={search.setStrictness} />
        </Box>
      )}
      <Box sx={{ display: 'grid', gap: 2, mt: 5 }}>
        <Button
          variant="contained"
          color="primary"
          size="xl"
          onClick={retrySamePhoto ? search.searchAgain : search.reset}
        >
          <Icon name={retrySamePhoto ? 'refresh' : 'camera'} size={24} />
          {retrySamePhoto ? 'Search Again' : 'Take New Photo'}
        </Button>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            justifyContent: 'center',
            columnGap: { xs: 2, sm: 4 },
            fontSize: { xs: 14, sm: 15 },
          }}
        >
          <Button
            sx={{ px: 2, fontSize: 'inherit' }}
            onClick={retrySamePhoto ? search.reset : search.searchAgain}
          >
            <Icon name={retrySamePhoto ? 'camera' : 'refresh'} />
            {retrySamePhoto ? 'Take New Photo' : 'Search Again'}
          </Button>
          <PhotoPicker look="link" onPick={(file) => void search.submit(file)}>
            upload a different photo
          </PhotoPicker>
        </Box>
      </Box>
    </SplitLayout>
  );
}
