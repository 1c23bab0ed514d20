import Box from '@mui/material/Box';
import { useState } from 'react';
import { sameOrigin } from '../../platform/api/links';
import type { Event } from '../../platform/api/types';
import { position } from '../../platform/renditions';
import { Sky } from '../../ui/Sky';

/** An event's cover, or its sky, as a small square. */
export function EventThumbnail({
  event: { slug, cover_thumbnail_url: link, cover_focus },
  size,
  dimmed = false,
}: {
  event: Pick<Event, 'slug'> & Partial<Pick<Event, 'cover_thumbnail_url' | 'cover_focus'>>;
  size: number;
  dimmed?: boolean;
}) {
  // The link that failed: one of a later answer is tried again.
  const [broken, setBroken] = useState<string | null>(null);
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
      {link == null || link === broken ? (
        <Sky slug={slug} />
      ) : (
        <Box
          component="img"
          src={sameOrigin(link)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(link)}
          style={{ objectPosition: position(cover_focus) }}
          sx={{
            display: 'block',
            width: '100%',
            height: '100%',
            objectFit: 'cover',
            objectPosition: '50% 20%',
            backgroundColor: 'sunken',
          }}
        />
      )}
    </Box>
  );
}
