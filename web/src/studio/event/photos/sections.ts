import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { Photo } from '../../../platform/api/types';
import { formatShortDate } from '../../../platform/shortDates';

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const;

/** The day and the hour in which a photo was taken, by the camera's clock: no time zone is known. */
export function sectionByHour({ captured_at }: Photo): string {
  const [date = '', time = ''] = captured_at?.split('T') ?? [];
  const hour = Number(time.slice(0, 2));
  if (time === '' || Number.isNaN(hour)) return t`Time not known`;
  return `${formatShortDate(date)}, ${i18n.date(new Date(Date.UTC(2000, 0, 1, hour)), clock)}`;
}
