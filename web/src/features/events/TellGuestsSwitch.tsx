import { t } from '@lingui/core/macro';
import type { Event } from '../../shared/api/types';
import { EventSwitch } from './EventSwitch';

/** Whether the guests of an event may ask to be told of new photos. */
export function TellGuestsSwitch({ event }: { event: Event }) {
  return (
    <EventSwitch
      event={event}
      label={t`Tell guests about new photos by e-mail`}
      checked={event.tells_guests === 'on'}
      change={(tells_guests) => ({ tells_guests })}
      chosen={({ tells_guests }) => tells_guests === true}
      saved={({ tells_guests }) => ({ tells_guests })}
    />
  );
}
