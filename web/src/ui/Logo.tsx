import { siteName } from '../platform/siteName';
import styles from './Logo.module.css';

/**
 * The mark, a lens with the sun half below the horizon, and the product name. `compact`: on a phone only the mark.
 */
export function Logo({ onDark = false, compact = false }: { onDark?: boolean; compact?: boolean }) {
  return (
    <span className={styles['logo']} data-on-dark={onDark}>
      <svg viewBox="0 0 24 24" width={24} height={24} aria-hidden="true" focusable="false">
        <path d="M2.6 13.5a9.5 9.5 0 0 0 18.8 0z" />
        <circle cx="12" cy="12" r="9.5" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
      <span className={styles['name']} data-compact={compact}>
        {siteName}
      </span>
    </span>
  );
}
