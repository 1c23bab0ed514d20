import type { Event } from '../../../../platform/api/types';
import { formatShortDate } from '../../../../platform/shortDates';

/** When an event is, and whose, where it is not the photographer's own. */
export const dateAndOwner = ({ date, owner_name }: Pick<Event, 'date' | 'owner_name'>): string =>
  owner_name == null ? formatShortDate(date) : `${formatShortDate(date)} · ${owner_name}`;
