import { eventScreenAddress } from '../../shared/events/eventScreens';

/** The query parameters of the person who is shown, and of the list of those who were put aside. */
export const personParameter = 'person';
export const hiddenParameter = 'hidden';

/** The address of the people of an event, or of one of them. */
export function peopleAddress(
  eventId: string,
  { person, hidden = false }: { person?: string; hidden?: boolean } = {},
): string {
  const parameters = new URLSearchParams();
  if (person !== undefined) parameters.set(personParameter, person);
  if (hidden) parameters.set(hiddenParameter, 'true');
  const rest = parameters.size === 0 ? '' : `&${parameters.toString()}`;
  return `${eventScreenAddress('/admin/people', eventId)}${rest}`;
}
