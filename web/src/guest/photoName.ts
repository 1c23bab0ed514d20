import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';

const clock = {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
} as const;

/** The day and time of a camera's clock, which is in no time zone: 'Sat, 19:42'. */
function timeOf(captured: string): string | null {
  const moment = new Date(`${captured}Z`);
  return Number.isNaN(moment.getTime()) ? null : i18n.date(moment, clock);
}

/** The name of a photo in the results, with its albums and when it was taken; `position` counts from 1. */
export function photoName(
  position: number,
  total: number,
  album: string | null,
  captured: string | null,
): string {
  const known = [album, captured === null ? null : timeOf(captured)].filter((each) => each !== null);
  const details = known.join(', ');
  return known.length === 0 ? t`Photo ${position} of ${total}` : t`Photo ${position} of ${total}, ${details}`;
}
