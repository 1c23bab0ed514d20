import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { Icon } from './Icon';
import { useCopyToClipboard } from './useCopyToClipboard';

/** Shows a secret that was just made, once. */
export function SecretDialog({
  title,
  note,
  secret,
  copiedText,
  failedText,
  onClose,
}: {
  title: string;
  /** What it is good for, and that it is not shown again. */
  note: string;
  secret: string;
  copiedText: string;
  failedText: string;
  onClose: () => void;
}) {
  const titleId = useId();
  const { copy, copied, failed } = useCopyToClipboard(secret);
  return (
    // Not closed by a click beside it: the secret is not shown again.
    <Dialog open aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mt: 2 }}>
          {note}
        </Typography>
        <Box
          component="code"
          dir="ltr"
          sx={{
            display: 'block',
            mt: 4,
            p: '14px 18px',
            borderRadius: '14px',
            backgroundColor: 'sunken',
            fontFamily: 'monospace',
            overflowWrap: 'anywhere',
            userSelect: 'all',
          }}
        >
          {secret}
        </Box>
        <Typography
          variant="subtitle2"
          component="p"
          role="status"
          sx={{ mt: 1.5, minHeight: 20, color: failed ? 'error.main' : 'success.main' }}
        >
          {copied && copiedText}
          {failed && failedText}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t`Done`}</Button>
        <Button
          variant="contained"
          color="ink"
          autoFocus
          onClick={copy}
          startIcon={<Icon name={copied ? 'check' : 'copy'} />}
        >
          {copied ? t`Copied` : t`Copy`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
