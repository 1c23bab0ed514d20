import styles from './Icon.module.css';

/** An icon that is drawn where it is needed: the named ones are part of what the page of guests loads first. */
export function OutlineIcon({ outline, size = 20 }: { outline: string; size?: number }) {
  return (
    <svg
      className={styles['icon']}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
    >
      <path d={outline} />
    </svg>
  );
}
