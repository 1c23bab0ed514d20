import Box from '@mui/material/Box';
import { room } from '../../../ui/theme/tokens';
import type { FacePlace } from './photos';
import { withinPhoto } from './facePlaces';

const percent = (fraction: number) => `${fraction * 100}%`;

/** Boxes round the faces of a photo, over the photo. The caption says in words how many they are. */
export function FaceBoxes({ faces }: { faces: readonly FacePlace[] }) {
  return (
    <Box aria-hidden="true" data-faces sx={{ position: 'absolute', inset: 0, pointerEvents: 'none' }}>
      {faces.map(withinPhoto).map(({ x, y, width, height }, index) => (
        <Box
          key={index}
          sx={{
            position: 'absolute',
            border: `2px solid ${room.lit}`,
            borderRadius: '4px',
            // A dark line on both sides keeps the box visible on a bright photo.
            boxShadow: '0 0 0 1px rgb(0 0 0 / .55), inset 0 0 0 1px rgb(0 0 0 / .55)',
          }}
          style={{ left: percent(x), top: percent(y), width: percent(width), height: percent(height) }}
        />
      ))}
    </Box>
  );
}
