import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { sameOrigin } from '../../../platform/api/links';
import { position } from '../../../platform/renditions';
import type { Event } from '../../../platform/api/types';
import { Icon } from '../../../ui/Icon';
import { Sky } from '../../../ui/Sky';
import { useEventUrl } from '../../shared/events/eventUrls';
import { guestEventQuery } from '../../shared/events/guestEvent';
import { formatLongDate } from '../../../platform/formats';

/** The event's page as a guest's phone shows it first: a drawing, so that no visit is counted. */
export function GuestPreview({ event }: { event: Event }) {
  const { url } = useEventUrl(event);
  const seen = useQuery(guestEventQuery(event.slug));
  const cover = seen.data?.cover_url;
  return (
    <Box
      component="aside"
      aria-label={t`What guests see`}
      sx={{ display: 'grid', gap: 3, justifyItems: 'center', position: { md: 'sticky' }, top: 88 }}
    >
      <Box
        aria-hidden="true"
        sx={(theme) => ({
          display: 'flex',
          flexDirection: 'column',
          width: '100%',
          maxWidth: 300,
          aspectRatio: '9 / 18.5',
          overflow: 'hidden',
          borderRadius: '36px',
          border: `8px solid ${theme.vars.palette.ink.main}`,
          backgroundColor: theme.vars.palette.background.paper,
        })}
      >
        <Box sx={{ position: 'relative', flex: 1, minHeight: 0, color: '#FFFFFF' }}>
          {typeof cover === 'string' ? (
            <Box
              component="img"
              src={sameOrigin(cover)}
              alt=""
              style={{ objectPosition: position(seen.data?.cover_focus) }}
              sx={{
                position: 'absolute',
                width: '100%',
                height: '100%',
                objectFit: 'cover',
                objectPosition: '50% 20%',
              }}
            />
          ) : (
            seen.data !== undefined && <Sky slug={event.slug} />
          )}
          <Box
            sx={{
              position: 'absolute',
              inset: 0,
              background: 'linear-gradient(transparent 30%, rgb(14 14 14 / .72))',
            }}
          />
          <Box sx={{ position: 'absolute', insetInline: 18, bottom: 36 }}>
            <Box sx={{ fontSize: 13 }}>{formatLongDate(event.date)}</Box>
            <Typography
              component="div"
              sx={{
                mt: 1,
                fontFamily: 'h1.fontFamily',
                fontSize: 26,
                fontWeight: 600,
                lineHeight: 1,
                letterSpacing: '-.03em',
                overflowWrap: 'anywhere',
                display: '-webkit-box',
                WebkitLineClamp: 4,
                WebkitBoxOrient: 'vertical',
                overflow: 'hidden',
              }}
            >
              {event.name}
            </Typography>
          </Box>
        </Box>
        <Box
          sx={{
            position: 'relative',
            mt: '-20px',
            p: '20px 18px',
            borderRadius: '22px 22px 0 0',
            backgroundColor: 'background.paper',
          }}
        >
          <Box sx={{ fontSize: 20, fontWeight: 600, letterSpacing: '-.02em' }}>{t`Find Your Photos`}</Box>
          <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
            {t`Take a selfie to find every photo you are in.`}
          </Typography>
        </Box>
      </Box>
      <Button
        href={url}
        target="_blank"
        rel="noreferrer"
        startIcon={<Icon name="eye" />}
      >{t`Open the guests' page`}</Button>
    </Box>
  );
}
