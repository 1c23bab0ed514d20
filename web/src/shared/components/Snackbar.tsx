import { styled } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import { motion, radius, snackbarColors } from '../theme/tokens';
import { Icon } from './Icon';
import type { SnackbarMessage } from './useSnackbar';

/** Milliseconds. */
export const autoHideDuration = 6000;

const Container = styled('div')(({ theme }) => ({
  position: 'fixed',
  left: 16,
  right: 16,
  bottom: 'calc(max(var(--snackbar-offset, 0px), 16px) + env(safe-area-inset-bottom, 0px))',
  zIndex: theme.zIndex.snackbar,
  display: 'flex',
  justifyContent: 'center',
  pointerEvents: 'none',
  [theme.breakpoints.up('md')]: { bottom: 'max(var(--snackbar-offset-wide, 0px), 24px)' },
}));

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  minHeight: 48,
  padding: '2px 4px 2px 14px',
  borderRadius: radius.menu,
  fontSize: 15,
  fontWeight: 600,
  lineHeight: 1.4,
  color: snackbarColors.text,
  boxShadow: theme.vars.palette.shadow.menu,
  pointerEvents: 'auto',
  animation: `snackbar-enter ${motion.base}ms ${motion.standard}`,
  '@keyframes snackbar-enter': { from: { opacity: 0, transform: 'translateY(12px)' } },
  '& p': { flex: 1, margin: 0, padding: '8px 0' },
  '& button': {
    display: 'grid',
    placeItems: 'center',
    flex: 'none',
    width: 44,
    height: 44,
    padding: 0,
    border: 0,
    borderRadius: radius.control,
    color: 'inherit',
    background: 'none',
    cursor: 'pointer',
    '&:focus-visible': { outline: '3px solid currentColor', outlineOffset: -4 },
  },
  [theme.breakpoints.down('sm')]: { width: '100%' },
  [theme.breakpoints.up('sm')]: { minWidth: 288, maxWidth: 520 },
}));

function MessageBar({ message, onClose }: { message: SnackbarMessage; onClose: () => void }) {
  const [paused, setPaused] = useState(false);
  useEffect(() => {
    if (paused) return undefined;
    const timer = setTimeout(onClose, autoHideDuration);
    return () => clearTimeout(timer);
  }, [paused, onClose]);
  useEffect(() => {
    const dismiss = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    window.addEventListener('keydown', dismiss);
    return () => window.removeEventListener('keydown', dismiss);
  }, [onClose]);
  return (
    <Bar
      role={message.tone === 'error' ? 'alert' : 'status'}
      style={{ backgroundColor: snackbarColors[message.tone] }}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <Icon name={message.tone === 'success' ? 'check' : 'alert'} />
      <p>{message.text}</p>
      <button type="button" aria-label="Dismiss" onClick={onClose}>
        <Icon name="close" />
      </button>
    </Bar>
  );
}

/**
 * The snackbar at the bottom of the page; its timer pauses while it is hovered or focused.
 * Not loaded lazily: often its message is that the network is lost.
 */
export function Snackbar({
  message,
  messageId,
  onClose,
}: {
  message: SnackbarMessage | null;
  /** Identifies the message, so that a repeated text restarts the timer. */
  messageId: number;
  onClose: () => void;
}) {
  return (
    <Container aria-live="polite">
      {message !== null && <MessageBar key={messageId} message={message} onClose={onClose} />}
    </Container>
  );
}
