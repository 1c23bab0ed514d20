import Box from '@mui/material/Box';
import { Sky } from '../../ui/Sky';

/** An event's sky as a small square. */
export function EventThumbnail({
  slug,
  size,
  dimmed = false,
}: {
  slug: string;
  size: number;
  dimmed?: boolean;
}) {
  return (
    <Box
      component="span"
      sx={{
        width: size,
        height: size,
        flex: 'none',
        borderRadius: '7px',
        overflow: 'hidden',
        ...(dimmed && { filter: 'saturate(0.1)', opacity: 0.4 }),
      }}
    >
      <Sky slug={slug} />
    </Box>
  );
}
