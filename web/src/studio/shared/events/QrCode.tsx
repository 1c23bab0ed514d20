import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Icon } from '../../../ui/Icon';
import { Alert } from '../../../ui/Alert';
import { saveBlob, saveFile } from '../../../ui/saveFile';
import { type LinkedEvent, useEventUrl } from './eventUrls';
import { drawNamedQrCode, drawQrCode, previewWidth, qrFileName } from './qrCode';

/** The event's QR code, at 300 px where there is room, and a button that downloads it at 1200 px, with the event's name. */
export function QrCode({
  event,
  pin = null,
  shownWidth = previewWidth,
}: {
  event: LinkedEvent & { name: string };
  /** The PIN that the link enters; null for none. */
  pin?: string | null;
  /** How large it is on the screen. */
  shownWidth?: number;
}) {
  const { url, settled } = useEventUrl(event, pin);
  const preview = useQuery({
    queryKey: ['qr-code', url],
    queryFn: () => drawQrCode(url, previewWidth),
    staleTime: Infinity,
    // A printed code cannot be corrected: wait until the URL is final.
    enabled: settled,
  });
  const download = useMutation({
    mutationFn: () => drawNamedQrCode(url, event.name),
    onSuccess: (url) => saveFile(url, qrFileName(event.slug)),
  });

  const drawing = useMutation({
    mutationFn: async () => {
      const { encode, svgOf } = await import('../print/symbol');
      return new Blob([svgOf(await encode(url))], { type: 'image/svg+xml' });
    },
    onSuccess: (svg) => saveBlob(svg, `qr-code-${event.slug}.svg`),
  });

  if (preview.isError || download.isError || drawing.isError)
    return <Alert tone="error">{t`QR Code Generation Failed`}</Alert>;
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 3 }}>
      <Box
        sx={{
          p: 4,
          borderRadius: '14px',
          border: 1,
          borderColor: 'divider',
          backgroundColor: '#FFFFFF',
          maxWidth: '100%',
        }}
      >
        {preview.data === undefined ? (
          <Skeleton width={shownWidth} height={shownWidth} sx={{ maxWidth: '100%' }} />
        ) : (
          <Box
            component="img"
            src={preview.data}
            alt={t`QR code of the event URL`}
            width={shownWidth}
            height={shownWidth}
            sx={{ display: 'block', maxWidth: '100%', height: 'auto' }}
          />
        )}
      </Box>
      <Button
        variant="outlined"
        fullWidth
        sx={{ maxWidth: 334 }}
        loading={download.isPending}
        disabled={!settled}
        startIcon={<Icon name="download" />}
        onClick={() => download.mutate()}
      >
        {t`Download QR code`}
      </Button>
      <Typography variant="caption" color="textDisabled">
        {t`1200 px wide with the event’s name, ready to print`}
      </Typography>
      <Button
        variant="text"
        size="small"
        loading={drawing.isPending}
        disabled={!settled}
        onClick={() => drawing.mutate()}
      >
        {t`As SVG, for a printer’s own layout`}
      </Button>
    </Box>
  );
}
