/** The navigation state with which the page of an event that is not there redirects to /, which says so to the guest. */
export const eventMissing = { eventMissing: true } as const;

export const isEventMissing = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'eventMissing' in state && state.eventMissing === true;
