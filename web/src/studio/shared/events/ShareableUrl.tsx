import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { createShareHandler } from '../../../ui/createShareHandler';
import { Icon } from '../../../ui/Icon';
import { useCopyToClipboard } from '../../../ui/useCopyToClipboard';
import { useEventUrl } from './eventUrls';

/**
 * The URL of the event page, with buttons that copy and share it. `primary`: copying is the one action of the screen.
 */
export function ShareableUrl({
  slug,
  name,
  pin = null,
  primary = false,
}: {
  slug: string;
  name: string;
  /** The PIN that the link enters; null for none. */
  pin?: string | null;
  primary?: boolean;
}) {
  const { url } = useEventUrl(slug, pin);
  const share = createShareHandler({ title: name, url });
  const { copy, copied, failed } = useCopyToClipboard(url);
  return (
    <>
      <Box
        sx={{
          display: 'flex',
          flexWrap: { xs: 'wrap', sm: 'nowrap' },
          alignItems: 'center',
          gap: 2,
          p: '6px 6px 6px 18px',
          borderRadius: '14px',
          backgroundColor: 'sunken',
        }}
      >
        <Typography
          sx={{ flex: 1, minWidth: 200, fontWeight: 500, lineHeight: 1.35, overflowWrap: 'anywhere' }}
        >
          {url}
        </Typography>
        <Button
          variant="contained"
          color={primary ? 'primary' : 'ink'}
          onClick={copy}
          startIcon={<Icon name={copied ? 'check' : 'copy'} />}
          sx={{ width: { xs: '100%', sm: 'auto' } }}
        >
          {copied ? t`Copied` : t`Copy`}
        </Button>
        {share !== null && (
          <Button
            variant="outlined"
            onClick={share}
            startIcon={<Icon name="share" />}
            sx={{ width: { xs: '100%', sm: 'auto' } }}
          >
            {t`Share`}
          </Button>
        )}
      </Box>
      <Typography
        variant="subtitle2"
        component="p"
        role="status"
        sx={{ mt: 1.5, minHeight: 20, color: failed ? 'error.main' : 'success.main' }}
      >
        {copied && t`URL copied to clipboard!`}
        {failed && t`The URL could not be copied. Please select it and copy it yourself.`}
      </Typography>
    </>
  );
}
