import { useEffect, useState } from 'react';
import { snackbarColors } from '../theme/tokens';
import { Icon } from './Icon';
import styles from './Snackbar.module.css';
import type { SnackbarMessage } from './useSnackbar';

/** Milliseconds. */
export const autoHideDuration = 6000;

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
    <div
      className={styles['bar']}
      role={message.tone === 'error' ? 'alert' : 'status'}
      style={{ backgroundColor: snackbarColors[message.tone] }}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <Icon name={message.tone === 'success' ? 'check' : 'alert'} />
      <p>{message.text}</p>
      <button type="button" className={styles['dismiss']} aria-label="Dismiss" onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
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
    <div className={styles['container']} aria-live="polite">
      {message !== null && <MessageBar key={messageId} message={message} onClose={onClose} />}
    </div>
  );
}
