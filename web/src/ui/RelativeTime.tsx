import { i18n } from '@lingui/core';
import Box from '@mui/material/Box';
import { useNow } from './useNow';

const steps = [
  { unit: 'minute', seconds: 60 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'month', seconds: 30.4 * 86_400 },
  { unit: 'year', seconds: 365.25 * 86_400 },
] as const;

/** '5 minutes ago', 'yesterday', 'in 3 minutes', in the language of the page. */
export function formatRelative(time: string, now: number): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return time;
  const format = new Intl.RelativeTimeFormat(i18n.locales ?? i18n.locale, { numeric: 'auto' });
  const step = steps.findLast((each) => Math.round(Math.abs(seconds) / each.seconds) >= 1);
  return step === undefined
    ? format.format(0, 'second')
    : format.format(Math.round(seconds / step.seconds), step.unit);
}

/** How long ago something was, with the exact time on hover. */
export function RelativeTime({ time }: { time: string }) {
  const now = useNow();
  const moment = new Date(time);
  const exact = Number.isNaN(moment.getTime())
    ? time
    : i18n.date(moment, { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <Box component="time" dateTime={time} title={exact} sx={{ whiteSpace: 'nowrap' }}>
      {formatRelative(time, now)}
    </Box>
  );
}
