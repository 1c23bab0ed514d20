import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Event } from '../../../platform/api/types';
import { eventPinQuery } from './eventPin';

type LinkedEvent = Pick<Event, 'id' | 'name' | 'slug' | 'date'>;

/** The link of an event as it is given away: whether it enters the PIN, and whether prints show it. */
export function useGuestLink(event: LinkedEvent, enabled = true) {
  const { data: pin = null } = useQuery(eventPinQuery(event.id, enabled));
  const [withPin, setWithPin] = useState(false);
  const [printsPin, setPrintsPin] = useState(false);
  return {
    pin,
    /** The PIN that the link enters; null for none. */
    linked: withPin ? pin : null,
    printed: printsPin && pin !== null ? { ...event, pin } : event,
    choices: { withPin, setWithPin, printsPin, setPrintsPin },
  };
}
