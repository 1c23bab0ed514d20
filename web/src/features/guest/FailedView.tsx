import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Icon } from '../../shared/components/Icon';
import { Alert } from '../../shared/components/Alert';
import { IndexingLine } from './IndexingLine';
import type { Indexing } from './matches';
import { Panes } from './Panes';
import { PhotoPicker } from './PhotoPicker';
import type { Failure, Query } from './search';
import { SelfiePreview } from './SelfiePreview';
import { useSnackbarLift } from './useSnackbarLift';
import { StrictnessSwitch } from './StrictnessSwitch';
import type { FaceSearch } from './useFaceSearch';
import { ViewTitle } from './ViewTitle';

/** A search that gave no photos: the selfie, why, and every way on. */
export function FailedView({
  cover,
  query,
  failure,
  indexing,
  search,
}: {
  cover: ReactNode;
  query: Query;
  failure: Failure;
  indexing: Indexing;
  search: FaceSearch;
}) {
  // The actions stay under the thumb, the snackbar above them.
  useSnackbarLift(150, 0);
  const nobody = failure.code === 'no_matches';
  const arriving = indexing.indexed < indexing.total || indexing.total === 0;
  // A lost connection asks for the same picture again, everything else for a better one.
  const sameAgain = failure.code === 'network';
  return (
    <Panes labelledBy="find-your-photos" picture={cover}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 4, mb: 4, pl: 1 }}>
        <SelfiePreview preview={query.selfies[0]?.preview ?? null} size={72} />
        <ViewTitle id="find-your-photos">Find Your Photos</ViewTitle>
      </Box>
      <Alert tone="error">{failure.text}</Alert>
      {nobody && (
        <Box sx={{ display: 'grid', gap: 3, mt: 4 }}>
          {arriving && (
            <Typography variant="body2" color="textSecondary">
              Photos are still being added. Leave this page open, or come back a little later.
            </Typography>
          )}
          <IndexingLine indexing={indexing} />
          <StrictnessSwitch value={query.strictness} onChange={search.setStrictness} />
        </Box>
      )}
      <Box sx={{ display: 'grid', gap: 2, mt: 5 }}>
        <Button
          variant="contained"
          color="primary"
          size="xl"
          onClick={sameAgain ? search.again : search.reset}
        >
          <Icon name={sameAgain ? 'refresh' : 'camera'} size={24} />
          {sameAgain ? 'Search Again' : 'Take New Photo'}
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
          <Button sx={{ px: 2, fontSize: 'inherit' }} onClick={sameAgain ? search.reset : search.again}>
            <Icon name={sameAgain ? 'camera' : 'refresh'} />
            {sameAgain ? 'Take New Photo' : 'Search Again'}
          </Button>
          <PhotoPicker look="link" onPick={(file) => void search.submit(file)}>
            upload a different photo
          </PhotoPicker>
        </Box>
      </Box>
    </Panes>
  );
}
