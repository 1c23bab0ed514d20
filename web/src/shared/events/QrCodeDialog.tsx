import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Icon } from '../components/Icon';
import { createShareHandler } from '../components/createShareHandler';
import { useCopyToClipboard } from '../components/useCopyToClipboard';
import { VisuallyHidden } from '../components/VisuallyHidden';
import { eventPinQuery } from './eventPin';
import { useEventUrl } from './eventUrls';
import { PrintChoices } from './PrintChoices';
import { QrCode } from './QrCode';

export function QrCodeDialog({
  event,
  open,
  onClose,
}: {
  event: { id: string; name: string; slug: string; date: string };
  open: boolean;
  onClose: () => void;
}) {
  const titleId = useId();
  const { data: pin = null } = useQuery(eventPinQuery(event.id, open));
  const [withPin, setWithPin] = useState(false);
  const [printsPin, setPrintsPin] = useState(false);
  const linked = withPin ? pin : null;
  const printed = printsPin && pin !== null ? { ...event, pin } : event;
  const { url } = useEventUrl(event.slug, linked);
  const { copy, copied, failed } = useCopyToClipboard(url);
  const share = createShareHandler({ title: event.name, url });
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{event.name}</DialogTitle>
      <DialogContent>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1, mb: 5, overflowWrap: 'anywhere' }}>
          {url}
        </Typography>
        {pin !== null && (
          <Box sx={{ mb: 4 }}>
            <Typography sx={{ fontSize: 14, fontWeight: 600 }}>{t`PIN: ${{ pin }}`}</Typography>
            <FormControlLabel
              sx={{ mt: 1, '& .MuiFormControlLabel-label': { fontSize: 14 } }}
              control={
                <Switch size="small" checked={withPin} onChange={(_, checked) => setWithPin(checked)} />
              }
              label={t`The link and the code enter the PIN`}
            />
            <FormControlLabel
              sx={{ '& .MuiFormControlLabel-label': { fontSize: 14 } }}
              control={
                <Switch size="small" checked={printsPin} onChange={(_, checked) => setPrintsPin(checked)} />
              }
              label={t`Poster and table card show the PIN`}
            />
          </Box>
        )}
        <QrCode slug={event.slug} name={event.name} pin={linked} />
        <PrintChoices event={printed} pin={linked} />
        <VisuallyHidden role="status">
          {copied ? t`URL copied to clipboard!` : failed ? t`The URL could not be copied.` : ''}
        </VisuallyHidden>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
        <Button variant="outlined" startIcon={<Icon name={copied ? 'check' : 'copy'} />} onClick={copy}>
          {copied ? t`Copied` : t`Copy link`}
        </Button>
        {share !== null && (
          <Button variant="outlined" startIcon={<Icon name="share" />} onClick={share}>
            {t`Share`}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
