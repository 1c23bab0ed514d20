import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { eventScreenAddress } from '../../shared/events/eventScreens';
import { PinChoices } from '../../shared/events/PinChoices';
import { PrintChoices } from '../../shared/events/PrintChoices';
import { QrCode } from '../../shared/events/QrCode';
import { ShareableUrl } from '../../shared/events/ShareableUrl';
import { useGuestLink } from '../../shared/events/useGuestLink';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { guestAccessText } from '../../shared/events/workspace/guestAccess';
import { GuestPreview } from './GuestPreview';
import { LiveWall } from './LiveWall';
import { SendInvitation } from './SendInvitation';

const padding = { p: { xs: 4, sm: 6 } } as const;

/** The way of guests to the event: its link, its code, what is printed and sent, and what they see then. */
export default function SharePage() {
  const event = useWorkspaceEvent();
  const link = useGuestLink(event);
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 300px' },
        gap: { xs: 5, md: 12 },
        alignItems: 'start',
      }}
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
        <Card component="section" aria-labelledby="link-title" sx={padding}>
          <Typography variant="h3" component="h2" id="link-title">
            {t`The link`}
          </Typography>
          <Typography color="textSecondary" sx={{ mt: 1 }}>
            {t`Anyone with this link can search for their own photos.`}
          </Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, mb: 3 }}>
            <Typography variant="body2" sx={{ fontWeight: 600 }}>
              {guestAccessText(event)}
            </Typography>
            <Button
              size="small"
              component={Link}
              to={`${eventScreenAddress('/admin/settings', event.id)}#guests`}
            >
              {t`Change`}
            </Button>
          </Box>
          <ShareableUrl event={event} pin={link.linked} />
          <SendInvitation event={event} pin={link.linked} />
          <Box sx={{ mt: 4, '&:empty': { display: 'none' } }}>
            <PinChoices link={link} />
          </Box>
        </Card>
        <Card component="section" aria-labelledby="print-title" sx={padding}>
          <Typography variant="h3" component="h2" id="print-title" sx={{ mb: 4 }}>
            {t`To print`}
          </Typography>
          <Box
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'auto minmax(0, 1fr)' },
              columnGap: 7,
              alignItems: 'start',
              '& [role=group]': { mt: { sm: 0 } },
            }}
          >
            <QrCode event={event} pin={link.linked} shownWidth={168} />
            <PrintChoices event={link.printed} pin={link.linked} />
          </Box>
        </Card>
        <Card component="section" aria-labelledby="wall-title" sx={padding}>
          <Typography variant="h3" component="h2" id="wall-title">
            {t`Live wall`}
          </Typography>
          <LiveWall event={event} />
        </Card>
      </Box>
      <GuestPreview event={event} />
    </Box>
  );
}
