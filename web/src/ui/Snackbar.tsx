import { t } from '@lingui/core/macro';
import { Fragment, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { snackbarColors } from './theme/snackbarColors';
import { Icon } from './Icon';
import styles from './Snackbar.module.css';
import { isOpenModal, useTopModal } from './useTopModal';
import type { SnackbarMessage } from './useSnackbar';

/** Milliseconds. */
export const autoHideDuration = 6000;

/** Closes a message after its time, unless it is hovered or focused, and on Escape. */
function useClosing(messageId: number | null, paused: boolean, onClose: () => void): void {
  useEffect(() => {
    if (messageId === null || paused) return undefined;
    const timer = setTimeout(onClose, autoHideDuration);
    return () => clearTimeout(timer);
  }, [messageId, paused, onClose]);
  useEffect(() => {
    if (messageId === null) return undefined;
    const dismiss = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    window.addEventListener('keydown', dismiss);
    return () => window.removeEventListener('keydown', dismiss);
  }, [messageId, onClose]);
}

/**
 * The snackbar at the bottom of the page; its timer pauses while it is hovered or focused.
 * One element is the bar and the live region, and stays when there is no message, so that a text is announced once. A
 * message is rendered into the modal dialog from which it comes, because all else is covered by that, and hidden from screen
 * readers; one that was there before stays below the dialog, whose controls it would cover.
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
  const [pausedId, setPausedId] = useState<number | null>(null);
  const modal = useTopModal();
  // Where the message is: when its dialog is closed it moves, and is not announced again.
  const [place, setPlace] = useState({ messageId, modal, announced: false });
  if (place.messageId !== messageId) setPlace({ messageId, modal, announced: false });
  else if (place.modal !== null && place.modal !== modal && !isOpenModal(place.modal))
    setPlace({ messageId, modal, announced: true });
  const { announced } = place;
  useClosing(message === null ? null : messageId, pausedId === messageId, onClose);
  useEffect(() => message?.onClose, [message]);
  // What had the focus before the message, which is hidden with its buttons.
  const before = useRef<Element | null>(null);
  const pause = () => setPausedId(messageId);
  const resume = () => setPausedId(null);
  const error = message?.tone === 'error';
  const bar = (
    <div className={styles['container']}>
      <div
        aria-live={announced ? 'off' : error ? 'assertive' : 'polite'}
        {...(message !== null && {
          role: announced ? undefined : error ? 'alert' : 'status',
          className: styles['bar'],
          style: { backgroundColor: snackbarColors[message.tone] },
        })}
        onPointerEnter={pause}
        onPointerLeave={resume}
        onFocus={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
          pause();
        }}
        onBlur={resume}
      >
        {message !== null && (
          <Fragment key={messageId}>
            <Icon name={message.tone === 'success' ? 'check' : 'alert'} />
            <p>{message.text}</p>
            {message.action && (
              <button
                type="button"
                className={styles['action']}
                onClick={() => {
                  if (before.current instanceof HTMLElement) before.current.focus();
                  onClose();
                  message.action?.run();
                }}
              >
                {message.action.label}
              </button>
            )}
            <button type="button" className={styles['dismiss']} aria-label={t`Dismiss`} onClick={onClose}>
              <Icon name="close" />
            </button>
          </Fragment>
        )}
      </div>
    </div>
  );
  return place.modal === null ? bar : createPortal(bar, place.modal);
}
