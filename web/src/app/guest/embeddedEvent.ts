import type { PublicEvent } from '../../platform/api/types';

/** The event that the server has put into its document; null without one, as when its database did not answer. */
export function embeddedEvent(slug: string): PublicEvent | null {
  const data = document.getElementById('event')?.textContent ?? '';
  if (data === '') return null;
  const event = JSON.parse(data) as PublicEvent;
  return event.slug === slug ? event : null;
}
