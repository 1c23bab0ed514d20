import { t } from '@lingui/core/macro';
import type { Event } from '../../shared/api/types';
import { EventSwitch } from './EventSwitch';

/** Whether an event takes photos in. */
export function UploadsSwitch({ event }: { event: Event }) {
  return (
    <EventSwitch
      event={event}
      label={t`Open to uploads`}
      checked={!event.uploads_closed}
      change={(open) => ({ uploads_closed: !open })}
      saved={({ uploads_closed }) => ({ uploads_closed })}
      chosen={({ uploads_closed }) => uploads_closed === false}
    />
  );
}
