import { plural, t } from '@lingui/core/macro';
import Typography from '@mui/material/Typography';
import { formatCount } from '../../platform/formats';
import type { Renewal } from './analytics';

/** How far the photos are described anew after a change of the face models; nothing where none waits for it. */
export function RenewalNote({ renewal }: { renewal: Renewal | null | undefined }) {
  if (!renewal) return null;
  return (
    <Typography color="text.secondary" sx={{ mt: 4 }}>
      {noteOf(renewal)}
    </Typography>
  );
}

function noteOf({ described, total, secondsLeft }: Renewal): string {
  const [done, all] = [formatCount(described), formatCount(total)];
  if (secondsLeft === null) {
    return t`Face search is being renewed: ${{ done }} of ${{ all }} photos are through. Guests find all of them meanwhile.`;
  }
  const left = durationText(secondsLeft);
  return t`Face search is being renewed: ${{ done }} of ${{ all }} photos are through, ${{ left }}. Guests find all of them meanwhile.`;
}

function durationText(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  if (minutes < 120) {
    return plural({ minutes }, { one: 'about # minute left', other: 'about # minutes left' });
  }
  return plural(
    { hours: Math.round(minutes / 60) },
    { one: 'about # hour left', other: 'about # hours left' },
  );
}
