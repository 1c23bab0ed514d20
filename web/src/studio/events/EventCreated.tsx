import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import type { Event } from '../../platform/api/types';
import { ActionLink } from '../../ui/ActionLink';
import { Icon } from '../../ui/Icon';
import { Page } from '../../ui/Page';
import { useDocumentTitle } from '../../ui/useDocumentTitle';
import { QrCode } from '../shared/events/QrCode';
import { eventScreenAddress } from '../shared/events/eventScreens';
import { ShareableUrl } from '../shared/events/ShareableUrl';
import { formatLongDate } from '../../platform/formats';

/** The confirmation of a new event: its URL, QR code and next steps. */
export function EventCreated({ event }: { event: Event }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(event.name);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Page width={960}>
      <Chip
        icon={<Icon name="check" size={16} />}
        label={t`Event created`}
        sx={(theme) => ({
          mb: 3.5,
          color: theme.vars.palette.success.main,
          backgroundColor: theme.vars.palette.soft.success,
          '& svg': { color: 'inherit !important', ml: '10px !important', mr: '-4px !important' },
        })}
      />
      <Typography
        variant="h1"
        ref={heading}
        tabIndex={-1}
        sx={{
          fontSize: { xs: 40, md: 52 },
          lineHeight: 1.02,
          overflowWrap: 'anywhere',
          outline: 'none !important',
        }}
      >
        {event.name}
      </Typography>
      <Typography color="textSecondary" sx={{ fontSize: 18, mt: 2, mb: 8 }}>
        {formatLongDate(event.date)}
      </Typography>
      <Card
        sx={{
          p: { xs: 4, md: 8 },
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 334px' },
          gap: { xs: 8, md: 10 },
        }}
      >
        <Box>
          <Typography variant="h3" component="h2">
            {t`Event URL`}
          </Typography>
          <Typography color="textSecondary" sx={{ mt: 1 }}>
            {t`Anyone with this link can search for their own photos.`}
          </Typography>
          <Box sx={{ mt: 4.5 }}>
            <ShareableUrl event={event} primary />
          </Box>
          <Typography variant="h3" component="h2" sx={{ mt: 8, mb: 2 }}>
            {t({ context: 'heading of what to do next', message: 'Next' })}
          </Typography>
          <Box sx={{ display: 'grid', mx: -3, mb: -3 }}>
            <ActionLink
              to={eventScreenAddress('/admin/upload', event.id)}
              icon="upload"
              label={t`Upload`}
              hint={t`Add the first photos`}
              primary
            />
            <ActionLink
              to={eventScreenAddress('/admin/gallery', event.id)}
              icon="grid"
              label={t`Gallery`}
              hint={t`See every photo of the event`}
            />
            <ActionLink
              to="/admin/overview"
              icon="calendar"
              label={t`Dashboard`}
              hint={t`Credits and all your events`}
            />
          </Box>
        </Box>
        <QrCode event={event} />
      </Card>
    </Page>
  );
}
