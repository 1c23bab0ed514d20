import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { Icon } from '../../../ui/Icon';
import { createShareHandler } from '../../../ui/createShareHandler';
import { useCopyToClipboard } from '../../../ui/useCopyToClipboard';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';
import { type LinkedEvent, useEventUrl } from './eventUrls';
import { PinChoices } from './PinChoices';
import { PrintChoices } from './PrintChoices';
import { QrCode } from './QrCode';
import { useGuestLink } from './useGuestLink';

export function QrCodeDialog({
  event,
  open,
  onClose,
}: {
  event: LinkedEvent & { id: string; name: string; date: string };
  open: boolean;
  onClose: () => void;
}) {
  const titleId = useId();
  const link = useGuestLink(event, open);
  const { linked, printed } = link;
  const { url } = useEventUrl(event, linked);
  const { copy, copied, failed } = useCopyToClipboard(url);
  const share = createShareHandler({ title: event.name, url });
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{event.name}</DialogTitle>
      <DialogContent>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1, mb: 5, overflowWrap: 'anywhere' }}>
          {url}
        </Typography>
        <Box sx={{ mb: 4, '&:empty': { display: 'none' } }}>
          <PinChoices link={link} />
        </Box>
        <QrCode event={event} pin={linked} />
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
