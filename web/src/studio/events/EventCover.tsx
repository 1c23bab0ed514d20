import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sameOrigin } from '../../platform/api/links';
import { type Focus, position, positionIn } from '../../platform/renditions';
import type { Event, Photo } from '../../platform/api/types';
import { Sky } from '../../ui/Sky';
import { coverChoice, coverPhotos } from './events';

const height = 188;

type Picture = Pick<Photo, 'thumbnail_url' | 'medium_url'> &
  Partial<Pick<Photo, 'width' | 'height'>> & { focus: Focus | null | undefined };

function CoverPhoto({ photo, primary, atOnce }: { photo: Picture; primary: boolean; atOnce: boolean }) {
  const [broken, setBroken] = useState(false);
  const small = sameOrigin(photo.thumbnail_url ?? '');
  const larger = photo.medium_url == null ? undefined : [small, `${sameOrigin(photo.medium_url)} 2x`];
  return (
    <Box
      sx={{
        gridRow: primary ? '1 / 3' : 'auto',
        overflow: 'hidden',
        containerType: 'size',
        backgroundColor: 'sunken',
      }}
    >
      {!broken && (
        <Box
          component="img"
          src={small}
          srcSet={larger?.join(', ')}
          alt=""
          width={photo.width}
          height={photo.height}
          loading={atOnce ? 'eager' : 'lazy'}
          fetchPriority={atOnce ? 'high' : undefined}
          decoding="async"
          onError={() => setBroken(true)}
          style={{
            objectPosition:
              positionIn(photo.focus, photo.width ?? 0, photo.height ?? 0) ?? position(photo.focus),
          }}
          // Where they are not known, faces tend to be in the upper part of a photo: crop the lower part.
          sx={{
            display: 'block',
            width: '100%',
            height: '100%',
            objectFit: 'cover',
            objectPosition: '50% 20%',
          }}
        />
      )}
    </Box>
  );
}

/** The chosen cover; without one, a new photo of people at two thirds with two others beside it; a single photo fills it; without photos the generated sky. */
export function EventCover({ event, atOnce }: { event: Event; atOnce: boolean }) {
  const chosen = typeof event.cover_url === 'string' ? event.cover_url : null;
  const { data } = useQuery({
    queryKey: ['event-cover', event.id, event.total_photos_uploaded, event.photos_indexed],
    queryFn: ({ signal }) => coverPhotos(event.id, signal),
    enabled: event.total_photos_uploaded > 0 && !event.deleting,
    // The signed links are valid for six hours.
    staleTime: 3_600_000,
    placeholderData: (previous) => previous,
  });
  const photos = coverChoice(data?.photos ?? []);
  const shown = photos.length === 2 ? photos.slice(0, 1) : photos;
  const several = shown.length > 1 && chosen === null;
  const count = data?.total_count ?? event.total_photos_uploaded;
  return (
    <Box
      sx={{
        position: 'relative',
        display: 'grid',
        gridTemplateColumns: several ? '2fr 1fr' : '1fr',
        gridTemplateRows: several ? '1fr 1fr' : '1fr',
        gap: '2px',
        height,
        flex: 'none',
        overflow: 'hidden',
        ...(event.deleting && { opacity: 0.4, filter: 'saturate(0.1)' }),
      }}
    >
      {chosen !== null ? (
        <CoverPhoto
          photo={{
            thumbnail_url: event.cover_thumbnail_url ?? chosen,
            medium_url: chosen,
            focus: event.cover_focus,
          }}
          primary={false}
          atOnce={atOnce}
        />
      ) : shown.length === 0 ? (
        <Sky slug={event.slug} />
      ) : (
        shown.map((photo, index) => (
          <CoverPhoto
            key={photo.id}
            photo={{ ...photo, medium_url: null, focus: photo.focus }}
            primary={index === 0 && shown.length > 1}
            atOnce={atOnce}
          />
        ))
      )}
      {!event.deleting && (
        <Box
          component="span"
          sx={{
            position: 'absolute',
            left: 12,
            bottom: 12,
            px: 2.5,
            borderRadius: '999px',
            fontSize: 13,
            fontWeight: 600,
            lineHeight: '28px',
            color: '#FFFFFF',
            backgroundColor: 'rgb(14 14 14 / .72)',
          }}
        >
          {count === 0 ? t`No photos yet` : plural(count, { one: '# photo', other: '# photos' })}
        </Box>
      )}
    </Box>
  );
}
