import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { createShareHandler } from '../../../ui/createShareHandler';
import { Icon } from '../../../ui/Icon';
import { besideUrl, CopyableUrl } from './CopyableUrl';
import { type LinkedEvent, useEventUrl } from './eventUrls';

/**
 * The URL of the event page, with buttons that copy and share it. `primary`: copying is the one action of the screen.
 */
export function ShareableUrl({
  event,
  pin = null,
  primary = false,
}: {
  event: LinkedEvent & { name: string };
  /** The PIN that the link enters; null for none. */
  pin?: string | null;
  primary?: boolean;
}) {
  const { url } = useEventUrl(event, pin);
  const share = createShareHandler({ title: event.name, url });
  return (
    <CopyableUrl
      url={url}
      label={t`Copy`}
      button={{ variant: 'contained', color: primary ? 'primary' : 'ink' }}
    >
      {share !== null && (
        <Button variant="outlined" onClick={share} startIcon={<Icon name="share" />} sx={besideUrl}>
          {t`Share`}
        </Button>
      )}
    </CopyableUrl>
  );
}
