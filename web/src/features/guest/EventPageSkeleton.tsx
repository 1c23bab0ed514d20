import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import { Sky } from '../../shared/components/Sky';
import { VisuallyHidden } from '../../shared/components/VisuallyHidden';
import { SplitLayout } from './SplitLayout';
import { skeletonFill } from './skeleton';

const Skeleton = styled('div')(({ theme }) => ({ borderRadius: 8, ...skeletonFill(theme) }));

/** The skeleton of the event page. The sky is already final: it is generated from the slug. */
export function EventPageSkeleton({ slug }: { slug: string }) {
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
      <Skeleton sx={{ width: 230, height: 32 }} />
      <Skeleton sx={{ width: 260, height: 44, mt: 2 }} />
      <Skeleton sx={{ width: 200, height: 18, mt: 4 }} />
      <Skeleton sx={{ height: 60, my: 4.5 }} />
      <Skeleton sx={{ height: 64, borderRadius: '20px' }} />
      <Skeleton sx={{ width: 160, height: 24, mt: 5, mx: 'auto' }} />
    </SplitLayout>
  );
}
