/** The navigation state with which the page of an event that is not there redirects to /, which says so to the guest. */
export const eventMissing = { eventMissing: true } as const;

export const isEventMissing = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'eventMissing' in state && state.eventMissing === true;

/**
 * Replaces the document of an event that is gone by the landing page's, with the state above in the form in which the
 * router of that document finds it again after a load.
 */
export function leaveMissingEvent(): void {
  window.history.replaceState({ usr: eventMissing, key: 'event-missing' }, '', '/');
  window.location.reload();
}
