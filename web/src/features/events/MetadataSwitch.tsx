import { t } from '@lingui/core/macro';
import type { Event } from '../../shared/api/types';
import { EventSwitch } from './EventSwitch';

/** Whether the guests of an event get originals byte for byte. */
export function MetadataSwitch({ event }: { event: Event }) {
  return (
    <EventSwitch
      event={event}
      label={t`Guests get originals with location and serial numbers`}
      checked={event.keeps_metadata}
      change={(keeps_metadata) => ({ keeps_metadata })}
      chosen={({ keeps_metadata }) => keeps_metadata === true}
      saved={({ keeps_metadata }) => ({ keeps_metadata })}
    />
  );
}
