import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { type MouseEvent, useEffect, useRef } from 'react';
import type { Event } from '../../shared/api/types';
import { ActionLink } from '../../shared/components/ActionLink';
import { Icon } from '../../shared/components/Icon';
import { Page } from '../../shared/components/Page';
import { useDocumentTitle } from '../../shared/components/useDocumentTitle';
import { QrCode } from '../../shared/events/QrCode';
import { type EventScreenPath, eventScreenAddress } from '../../shared/events/eventScreens';
import { ShareableUrl } from '../../shared/events/ShareableUrl';
import { formatLongDate } from '../../shared/formats';
import { useSelectedEvent } from '../../shared/session/selection';
import { useNavigateWithEvent } from './useNavigateWithEvent';

/** The confirmation of a new event: its URL, QR code and next steps. */
export function EventCreated({ event }: { event: Event }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const selected = useSelectedEvent();
  const navigateWithEvent = useNavigateWithEvent();
  // While uploads of another event are running, this event is not selected yet.
  const linkProps = (path: EventScreenPath) => ({
    to: eventScreenAddress(path, event.id),
    onClick: (click: MouseEvent) => {
      if (selected?.id === event.id) return;
      click.preventDefault();
      navigateWithEvent(event, path);
    },
  });
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
            <ShareableUrl slug={event.slug} name={event.name} primary />
          </Box>
          <Typography variant="h3" component="h2" sx={{ mt: 8, mb: 2 }}>
            {t({ context: 'heading of what to do next', message: 'Next' })}
          </Typography>
          <Box sx={{ display: 'grid', mx: -3, mb: -3 }}>
            <ActionLink
              {...linkProps('/admin/upload')}
              icon="upload"
              label={t`Upload`}
              hint={t`Add the first photos`}
              primary
            />
            <ActionLink
              {...linkProps('/admin/gallery')}
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
        <QrCode slug={event.slug} name={event.name} />
      </Card>
    </Page>
  );
}
