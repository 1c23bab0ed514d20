import { styled } from '@mui/material/styles';
import { room } from '../theme/tokens';

const isOfTheElement = (prop: PropertyKey) => prop !== 'tone' && prop !== 'big' && prop !== 'sx';

type Tone = 'accent' | 'success' | 'idle' | 'lit';

const Track = styled('span', { shouldForwardProp: isOfTheElement })<{
  tone: Tone;
  big: boolean;
}>(({ theme, tone, big }) => ({
  position: 'relative',
  display: 'block',
  height: big ? 6 : 3,
  borderRadius: 3,
  backgroundColor: tone === 'lit' ? 'rgb(255 255 255 / .35)' : theme.vars.palette.divider,
}));

const Bar = styled('span', { shouldForwardProp: isOfTheElement })<{
  tone: Tone;
  big: boolean;
}>(({ theme, tone, big }) => ({
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
  '&[data-drifting=true]': {
    width: '30%',
    animation: 'horizon-drift 1.4s linear infinite',
    '@keyframes horizon-drift': { from: { left: '-30%' }, to: { left: '100%' } },
    '@media (prefers-reduced-motion: reduce)': { animation: 'none', left: '35%' },
  },
  '&::after': {
    content: tone === 'accent' || tone === 'lit' ? '""' : 'none',
    position: 'absolute',
    top: '50%',
    right: big ? -12 : -5,
    width: big ? 110 : 54,
    height: big ? 34 : 18,
    transform: 'translateY(-50%)',
    pointerEvents: 'none',
    background: `radial-gradient(closest-side at 88% 50%, color-mix(in srgb, ${room.lit} 62%, transparent), transparent)`,
  },
}));

/**
 * The line that lights from the left while something happens.
 * `value` runs from 0 to 100; without it the line drifts, for work whose length nobody knows.
 */
export function Horizon({
  value,
  label,
  tone = 'accent',
  big = false,
}: {
  value?: number | undefined;
  label: string;
  tone?: Tone;
  big?: boolean;
}) {
  const measured = value === undefined ? undefined : Math.min(100, Math.max(0, Math.round(value)));
  return (
    <Track
      tone={tone}
      big={big}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={measured}
      sx={measured === undefined ? { overflow: 'hidden' } : undefined}
    >
      <Bar
        tone={tone}
        big={big}
        data-drifting={measured === undefined}
        style={measured === undefined ? undefined : { width: `${measured}%` }}
        sx={measured === 0 ? { '&::after': { content: 'none' } } : undefined}
      />
    </Track>
  );
}
