import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';

/** Where the photos of a grid will be. */
export function GridSkeleton() {
  return (
    <Box
      role="status"
      aria-busy="true"
      aria-label={t`Loading the photos`}
      sx={{ display: 'grid', gridTemplateColumns: { xs: 'repeat(3, 1fr)', md: 'repeat(4, 1fr)' }, gap: 1.5 }}
    >
      {Array.from({ length: 12 }, (_, index) => (
        <Skeleton key={index} height={200} />
      ))}
    </Box>
  );
}
