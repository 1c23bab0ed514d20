import { type ComponentProps, useEffect, useRef } from 'react';
import styles from './ModalSheet.module.css';
import { useHistoryLayer } from './useHistoryLayer';

/** A modal dialog: a sheet at the foot of a phone, in the middle of a larger window. Back and a tap beside it close it. */
export function ModalSheet({
  onClose,
  className = '',
  children,
  ...props
}: Omit<ComponentProps<'dialog'>, 'ref' | 'onClick' | 'onClose'> & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
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
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // The backdrop is the dialog itself; everything else is in its content.
        if (target === currentTarget) onClose();
      }}
    >
      <div className={`${styles['content']} ${className}`}>{children}</div>
    </dialog>
  );
}
