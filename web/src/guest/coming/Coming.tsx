import { t } from '@lingui/core/macro';
import { formatShortDate } from '../../platform/shortDates';
import text from '../text.module.css';
import type { ComingEvent } from './start';

/** Whether more photos are coming, as the photographer says. */
export default function Coming({ event: { complete, coming_until: until } }: { event: ComingEvent }) {
  return (
    <p className={text['small']} style={{ marginTop: 12, textAlign: 'center' }}>
      {complete === true
        ? t`The photos are complete. No more are coming.`
        : t`More photos are coming until ${{ day: formatShortDate(until ?? '') }}.`}
    </p>
  );
}
