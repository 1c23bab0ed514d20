import { type ComponentProps, useEffect, useRef } from 'react';
import styles from './ModalSheet.module.css';
import { useHistoryLayer } from './useHistoryLayer';

/** A modal dialog: a sheet at the foot of a phone, in the middle of a larger window. Back and a tap beside it close it. */
export function ModalSheet({
  onClose,
  className = '',
  children,
  ...props
}: Omit<ComponentProps<'dialog'>, 'ref' | 'onPointerDown' | 'onClick' | 'onClose'> & {
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** Whether the last press began on the backdrop. */
  const pressedBeside = useRef(false);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  useHistoryLayer(true, onClose);
  return (
    <dialog
      {...props}
      className={styles['sheet']}
      ref={dialog}
      onClose={({ target, currentTarget }) => {
        // React lets the event bubble, which that of a dialog in this one is too: the camera's, say.
        if (target === currentTarget) onClose();
      }}
      onPointerDown={({ target, currentTarget }) => {
        // The backdrop is the dialog itself; everything else is in its content.
        pressedBeside.current = target === currentTarget;
      }}
      onClick={({ target, currentTarget }) => {
        // A press that begins in a field, to select its text, and ends on the backdrop is a click on both of them.
        if (target === currentTarget && pressedBeside.current) onClose();
      }}
    >
      <div className={`${styles['content']} ${className}`}>{children}</div>
    </dialog>
  );
}
