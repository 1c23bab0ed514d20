import styles from './ProgressBar.module.css';

type Tone = 'accent' | 'success' | 'idle' | 'lit';

/**
 * A linear progress bar, in the design's form of a lit horizon.
 * `value` is 0 to 100; without it the bar is indeterminate. `failed` is the part of `value` that failed.
 */
export function ProgressBar({
  value,
  failed = 0,
  label,
  tone = 'accent',
  large = false,
}: {
  value?: number | undefined;
  failed?: number;
  label: string;
  tone?: Tone;
  large?: boolean;
}) {
  const failedWidth = Math.min(failed, value ?? 0);
  const measured = value === undefined ? undefined : Math.min(100, Math.max(0, Math.round(value)));
  const lit = tone === 'accent' || tone === 'lit';
  return (
    <span
      className={styles['track']}
      data-tone={tone}
      data-large={large}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={measured}
    >
      <span
        className={styles['indicator']}
        data-indeterminate={measured === undefined}
        data-glowing={lit && measured !== 0 && failedWidth === 0}
        style={measured === undefined ? undefined : { width: `${measured - failedWidth}%` }}
      />
      {measured !== undefined && failedWidth > 0 && (
        <span
          className={styles['failed']}
          style={{ insetInlineStart: `${measured - failedWidth}%`, width: `${failedWidth}%` }}
        />
      )}
    </span>
  );
}
