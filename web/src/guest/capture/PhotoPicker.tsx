import type { ReactNode } from 'react';
import styles from './PhotoPicker.module.css';

type Look = 'link' | 'big' | 'pill' | 'side';

/**
 * Opens the file picker for images; with `capture` the front camera app of the phone.
 * A label around its input, so that it works in browsers that block programmatic clicks.
 */
export function PhotoPicker({
  look,
  capture = false,
  onPick,
  children,
}: {
  look: Look;
  capture?: boolean;
  onPick: (file: File) => void;
  children: ReactNode;
}) {
  return (
    <label className={`${styles['picker']} ${styles[look]}`}>
      <input
        type="file"
        className={styles['input']}
        accept="image/*"
        {...(capture && { capture: 'user' as const })}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // So that picking the same file again triggers a change.
          target.value = '';
          if (file !== undefined) onPick(file);
        }}
      />
      {children}
    </label>
  );
}
