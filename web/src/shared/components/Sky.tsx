import { useId, useMemo } from 'react';
import { paintSky } from './sky';

const round = (value: number) => Math.round(value * 100) / 100;

/** The generated cover of an event: the same picture for the same slug, drawn on the device. Fills its box. */
export function Sky({ slug }: { slug: string }) {
  const id = useId();
  const { palette, horizon, sun, discs } = useMemo(() => paintSky(slug), [slug]);
  const [top, high, low, glow, light, ground, foot] = palette;
  return (
    <svg
      viewBox="0 0 100 100"
      preserveAspectRatio="xMidYMid slice"
      width="100%"
      height="100%"
      aria-hidden="true"
      focusable="false"
      style={{ display: 'block' }}
    >
      <defs>
        <linearGradient id={`${id}air`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={top} />
          <stop offset=".4" stopColor={high} />
          <stop offset=".68" stopColor={low} />
          <stop offset=".88" stopColor={glow} />
          <stop offset="1" stopColor={light} />
        </linearGradient>
        <linearGradient id={`${id}land`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={ground} />
          <stop offset=".5" stopColor={foot} />
        </linearGradient>
        <radialGradient id={`${id}sun`}>
          <stop offset="0" stopColor="#FFF3DC" stopOpacity=".85" />
          <stop offset="1" stopColor={light} stopOpacity="0" />
        </radialGradient>
      </defs>
      <rect width="100" height={round(horizon)} fill={`url(#${id}air)`} />
      <ellipse cx={round(sun)} cy={round(horizon)} rx="52" ry="14" fill={`url(#${id}sun)`} />
      <rect y={round(horizon)} width="100" height={round(100 - horizon)} fill={`url(#${id}land)`} />
      <rect y={round(horizon)} width="100" height=".35" fill={light} opacity=".7" />
      {discs.map((disc, index) => (
        <circle
          key={index}
          cx={round(disc.x)}
          cy={round(disc.y)}
          r={round(disc.radius)}
          fill={light}
          opacity={round(disc.opacity)}
        />
      ))}
    </svg>
  );
}
