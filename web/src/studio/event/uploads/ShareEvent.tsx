import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Icon } from '../../../ui/Icon';
import { QrCodeDialog } from '../../shared/events/QrCodeDialog';
import { ShareableUrl } from '../../shared/events/ShareableUrl';
import type { Event } from '../../../platform/api/types';

/** The step after an upload: the event's link to copy or share, and its QR code. */
export function ShareEvent({ event }: { event: Event }) {
  const [qrCode, setQrCode] = useState(false);
  return (
    <Card component="section" aria-labelledby="share-title" sx={{ p: { xs: 4, md: 6 } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 4, mb: 4 }}>
        <Box sx={{ flex: '1 1 240px' }}>
          <Typography variant="h3" component="h2" id="share-title">
            {t`Share the link`}
          </Typography>
          <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
            {t`Next, send it to the guests: with a selfie, each of them finds their own photos.`}
          </Typography>
        </Box>
        <Button variant="outlined" startIcon={<Icon name="qr" />} onClick={() => setQrCode(true)}>
          {t`QR Code`}
        </Button>
      </Box>
      <ShareableUrl event={event} />
      <QrCodeDialog event={event} open={qrCode} onClose={() => setQrCode(false)} />
    </Card>
  );
}
