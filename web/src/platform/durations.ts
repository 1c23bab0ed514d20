import { t } from '@lingui/core/macro';

/** 'about 2 min', 'under a minute', 'about 1 h 5 min'. */
export function formatDuration(seconds: number): string {
  if (seconds < 55) return t`under a minute`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t`about ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? t`about ${hours} h` : t`about ${hours} h ${rest} min`;
}
