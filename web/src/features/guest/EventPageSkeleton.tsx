import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { Alert } from '../../shared/components/Alert';
import { Icon } from '../../shared/components/Icon';
import { Sky } from '../../shared/components/Sky';
import { VisuallyHidden } from '../../shared/components/VisuallyHidden';
import { SplitLayout } from './SplitLayout';
import { skeletonFill } from './skeleton';

const Skeleton = styled('div')(({ theme }) => ({ borderRadius: 8, ...skeletonFill(theme) }));

/**
 * The skeleton of the event page. The sky is already final: it is generated from the slug. With `onRetry` it says that
 * loading failed and is tried again.
 */
export function EventPageSkeleton({ slug, onRetry }: { slug: string; onRetry: (() => void) | undefined }) {
  return (
    <SplitLayout
      labelledBy="loading-event"
      busy
      image={
        <Box sx={{ position: 'absolute', inset: 0 }}>
          <Sky slug={slug} eager />
        </Box>
      }
    >
      <VisuallyHidden id="loading-event" role="status">
        Loading the event
      </VisuallyHidden>
      {onRetry !== undefined && (
        <Box sx={{ display: 'grid', gap: 3, mb: 6 }}>
          <Alert tone="warning">
            The event could not be loaded. Trying again by itself; please leave this page open.
          </Alert>
          <Button variant="outlined" onClick={onRetry}>
            <Icon name="refresh" /> Try again
          </Button>
        </Box>
      )}
      <Skeleton sx={{ width: 230, height: 32 }} />
      <Skeleton sx={{ width: 260, height: 44, mt: 2 }} />
      <Skeleton sx={{ width: 200, height: 18, mt: 4 }} />
      <Skeleton sx={{ height: 60, my: 4.5 }} />
      <Skeleton sx={{ height: 64, borderRadius: '20px' }} />
      <Skeleton sx={{ width: 160, height: 24, mt: 5, mx: 'auto' }} />
    </SplitLayout>
  );
}
