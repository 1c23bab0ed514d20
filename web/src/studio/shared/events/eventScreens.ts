import { useLocation, useSearchParams } from 'react-router';
import { useSelectedEvent } from '../../../platform/session/selection';

/** The screens of one event. */
const paths = [
  '/admin/upload',
  '/admin/gallery',
  '/admin/trash',
  '/admin/people',
  '/admin/share',
  '/admin/guests',
  '/admin/statistics',
  '/admin/settings',
] as const;
export type EventScreenPath = (typeof paths)[number];

/** The query parameter with the id of the event. */
const eventParameter = 'event';

/** The address of a screen of one event. Without an id, it is of the event that was shown last. */
export const eventScreenAddress = (path: EventScreenPath, eventId: string | undefined): string =>
  eventId === undefined ? path : `${path}?${eventParameter}=${encodeURIComponent(eventId)}`;

export const isEventScreen = (path: string): path is EventScreenPath => paths.some((each) => each === path);

/** The id of the event that an address of a screen of one event names. */
export const namedEvent = (pathname: string, search: URLSearchParams): string | null =>
  isEventScreen(pathname) ? search.get(eventParameter) : null;

/**
 * The id of the event that is shown: the one that the address names, so that each tab, a reload and the back button show
 * that one, whatever another tab shows; or else the one that this tab has shown last.
 */
export function useEventId(): { id: string | undefined; named: boolean } {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const last = useSelectedEvent()?.id;
  const named = namedEvent(pathname, search);
  return { id: named ?? last, named: named !== null };
}

/** The address of a screen of one event for another event, or for the same one by its id. */
export function withEvent({ search, hash }: { search: string; hash: string }, eventId: string) {
  const parameters = new URLSearchParams(search);
  parameters.set(eventParameter, eventId);
  return { search: parameters.toString(), hash };
}

/** The query parameter with what is wanted on the screen. */
const wantedParameter = 'show';

/** Whether the address of photos is that of guests' requests in mails of before. */
export const wantsRequests = (search: URLSearchParams): boolean => search.get(wantedParameter) === 'requests';

/** The id of the heading of the guests' requests. */
export const requestsHeading = 'guest-requests';

/** The address of the guests' requests in an event. */
export const guestRequestsAddress = (eventId: string): string =>
  `${eventScreenAddress('/admin/guests', eventId)}#${requestsHeading}`;
