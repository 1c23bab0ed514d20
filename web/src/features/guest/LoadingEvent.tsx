import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import { Sky } from '../../shared/components/Sky';
import { VisuallyHidden } from '../../shared/components/VisuallyHidden';
import { Panes } from './Panes';
import { skeletonFill } from './skeleton';

const Bone = styled('div')(({ theme }) => ({ borderRadius: 8, ...skeletonFill(theme) }));

/** The boxes of what comes. The sky is there at once: its address follows from this page's. */
export function LoadingEvent({ slug }: { slug: string }) {
  return (
    <Panes
      labelledBy="loading-event"
      busy
      picture={
        <Box sx={{ position: 'absolute', inset: 0 }}>
          <Sky slug={slug} eager />
        </Box>
      }
    >
      <VisuallyHidden id="loading-event" role="status">
        Loading the event
      </VisuallyHidden>
      <Bone sx={{ width: 230, height: 32 }} />
      <Bone sx={{ width: 260, height: 44, mt: 2 }} />
      <Bone sx={{ width: 200, height: 18, mt: 4 }} />
      <Bone sx={{ height: 60, my: 4.5 }} />
      <Bone sx={{ height: 64, borderRadius: '20px' }} />
      <Bone sx={{ width: 160, height: 24, mt: 5, mx: 'auto' }} />
    </Panes>
  );
}
