import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button, { type ButtonProps } from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Icon } from '../../../ui/Icon';
import { useCopyToClipboard } from '../../../ui/useCopyToClipboard';

/** How wide a button beside the URL is; on a phone each has a line. */
export const besideUrl = { width: { xs: '100%', sm: 'auto' } } as const;

/** A URL with the button that copies it, and what else can be done with it. */
export function CopyableUrl({
  url,
  label,
  button,
  children,
}: {
  url: string;
  /** What the button says. */
  label: string;
  /** How the button looks. */
  button: Pick<ButtonProps, 'variant' | 'color'>;
  /** Further buttons. */
  children?: ReactNode;
}) {
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
          dir="ltr"
          sx={{ flex: 1, minWidth: 200, fontWeight: 500, lineHeight: 1.35, overflowWrap: 'anywhere' }}
        >
          {url}
        </Typography>
        <Button
          {...button}
          onClick={copy}
          startIcon={<Icon name={copied ? 'check' : 'copy'} />}
          sx={besideUrl}
        >
          {copied ? t`Copied` : label}
        </Button>
        {children}
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
