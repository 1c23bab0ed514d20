import { styled } from '@mui/material/styles';
import { room } from '../theme/tokens';

const isDomProp = (prop: PropertyKey) => prop !== 'tone' && prop !== 'large' && prop !== 'sx';

type Tone = 'accent' | 'success' | 'idle' | 'lit';

const Track = styled('span', { shouldForwardProp: isDomProp })<{
  tone: Tone;
  large: boolean;
}>(({ theme, tone, large }) => ({
  position: 'relative',
  display: 'block',
  height: large ? 6 : 3,
  borderRadius: 3,
  backgroundColor: tone === 'lit' ? 'rgb(255 255 255 / .35)' : theme.vars.palette.divider,
}));

const Indicator = styled('span', { shouldForwardProp: isDomProp })<{
  tone: Tone;
  large: boolean;
}>(({ theme, tone, large }) => ({
  position: 'absolute',
  inset: '0 auto 0 0',
  borderRadius: 3,
  transition: 'width 200ms linear',
  backgroundColor: {
    accent: theme.vars.palette.primary.main,
    lit: room.lit,
    success: theme.vars.palette.success.main,
    idle: theme.vars.palette.control,
  }[tone],
  '&[data-indeterminate=true]': {
    width: '30%',
    animation: 'progress-indeterminate 1.4s linear infinite',
    '@keyframes progress-indeterminate': { from: { left: '-30%' }, to: { left: '100%' } },
    '@media (prefers-reduced-motion: reduce)': { animation: 'none', left: '35%' },
  },
  '&::after': {
    content: tone === 'accent' || tone === 'lit' ? '""' : 'none',
    position: 'absolute',
    top: '50%',
    right: large ? -12 : -5,
    width: large ? 110 : 54,
    height: large ? 34 : 18,
    transform: 'translateY(-50%)',
    pointerEvents: 'none',
    background: `radial-gradient(closest-side at 88% 50%, color-mix(in srgb, ${room.lit} 62%, transparent), transparent)`,
  },
}));

const FailedPart = styled('span')(({ theme }) => ({
  position: 'absolute',
  insetBlock: 0,
  borderRadius: 3,
  transition: 'width 200ms linear, left 200ms linear',
  backgroundColor: theme.vars.palette.error.main,
}));

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
  return (
    <Track
      tone={tone}
      large={large}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={measured}
      sx={measured === undefined ? { overflow: 'hidden' } : undefined}
    >
      <Indicator
        tone={tone}
        large={large}
        data-indeterminate={measured === undefined}
        style={measured === undefined ? undefined : { width: `${measured - failedWidth}%` }}
        sx={measured === 0 || failedWidth > 0 ? { '&::after': { content: 'none' } } : undefined}
      />
      {measured !== undefined && failedWidth > 0 && (
        <FailedPart style={{ left: `${measured - failedWidth}%`, width: `${failedWidth}%` }} />
      )}
    </Track>
  );
}
