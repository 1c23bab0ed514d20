/** The most photos that one request names. */
export const choiceLimit = 10_000;

/** Photos, or all of an event's that a request is about. */
export type Chosen = readonly string[] | 'all';

/** The bodies of the requests that a choice takes: one, but for very many photos. */
export function* choices(eventId: string, chosen: Chosen) {
  if (chosen === 'all') {
    yield { event_id: eventId, all: true };
    return;
  }
  for (let from = 0; from < chosen.length; from += choiceLimit)
    yield { event_id: eventId, photo_ids: chosen.slice(from, from + choiceLimit), all: false };
}
