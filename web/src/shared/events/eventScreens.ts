/** The screens that show one event. */
const paths = [
  '/admin/upload',
  '/admin/gallery',
  '/admin/people',
  '/admin/statistics',
  '/admin/team',
  '/admin/trash',
] as const;
export type EventScreenPath = (typeof paths)[number];

/** The query parameter with the id of the event. */
export const eventParameter = 'event';

/** The address of a screen that shows one event. Without an id, the screen shows the selected event. */
export const eventScreenAddress = (path: EventScreenPath, eventId: string | undefined): string =>
  eventId === undefined ? path : `${path}?${eventParameter}=${encodeURIComponent(eventId)}`;

export const isEventScreen = (path: string): path is EventScreenPath => paths.some((each) => each === path);

/** The query parameter with what is wanted on the screen. */
export const wantedParameter = 'show';
/** The value of it that stands for guests' requests; mails have it too. */
export const wantedRequests = 'requests';

/** The address of the guests' requests in an event. */
export const guestRequestsAddress = (eventId: string): string =>
  `${eventScreenAddress('/admin/gallery', eventId)}&${wantedParameter}=${wantedRequests}`;
