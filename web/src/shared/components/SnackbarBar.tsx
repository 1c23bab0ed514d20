import IconButton from '@mui/material/IconButton';
import Snackbar from '@mui/material/Snackbar';
import SnackbarContent from '@mui/material/SnackbarContent';
import { snackbarColors } from '../theme/tokens';
import { Icon } from './Icon';
import type { SnackbarMessage } from './snackbar';

const visibleFor = 6000;

/** The bar at the foot of the page; it waits while the pointer or the focus is on it. */
export default function SnackbarBar({
  message,
  open,
  onClose,
}: {
  message: SnackbarMessage;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <Snackbar
      open={open}
      autoHideDuration={visibleFor}
      onClose={(_, reason) => {
        if (reason !== 'clickaway') onClose();
      }}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
      sx={{ bottom: 'calc(var(--snackbar-lift, 0px) + 24px) !important' }}
    >
      <SnackbarContent
        role={message.tone === 'error' ? 'alert' : 'status'}
        style={{ backgroundColor: snackbarColors[message.tone] }}
        message={
          <>
            <Icon name={message.tone === 'success' ? 'check' : 'alert'} />
            {message.text}
          </>
        }
        action={
          <IconButton aria-label="Dismiss" onClick={onClose} sx={{ color: 'inherit', width: 40, height: 40 }}>
            <Icon name="close" />
          </IconButton>
        }
      />
    </Snackbar>
  );
}
