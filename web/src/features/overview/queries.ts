import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../shared/api/client';
import { ApiError } from '../../shared/api/errors';
import type { Event } from '../../shared/api/types';
import type { Day } from './activity';

export interface Dashboard {
  activeEvents: number;
  deletedEvents: number;
  totalEvents: number;
  totalPhotos: number;
  recentlyDeleted: readonly Event[];
  /** The days of the last 30 on which anything happened; null where only the list of events could be had. */
  days: readonly Day[] | null;
}

const failed = 'Failed to load dashboard data';

async function countPhotos(signal: AbortSignal): Promise<number> {
  try {
    return (await unwrapResponse(api.GET('/api/photos/count', { signal }), failed)).total_count;
  } catch {
    // A count that cannot be had counts as none; the rest of the page stands without it.
    return 0;
  }
}

async function loadFromEvents(signal: AbortSignal): Promise<Dashboard> {
  const [events, totalPhotos] = await Promise.all([
    unwrapResponse(api.GET('/api/events/', { signal }), failed),
    countPhotos(signal),
  ]);
  return {
    activeEvents: events.length,
    deletedEvents: 0,
    totalEvents: events.length,
    totalPhotos,
    recentlyDeleted: [],
    days: null,
  };
}

async function load(signal: AbortSignal): Promise<Dashboard> {
  try {
    const { summary, recent_deleted_events, days } = await unwrapResponse(
      api.GET('/api/events/analytics', { signal }),
      failed,
    );
    return {
      activeEvents: summary.active_events,
      deletedEvents: summary.deleted_events,
      totalEvents: summary.total_events,
      totalPhotos: summary.total_photos_uploaded,
      recentlyDeleted: deletedWithin30Days(recent_deleted_events, Date.now()),
      days,
    };
  } catch (error) {
    if (signal.aborted || (error instanceof ApiError && error.status === 401)) throw error;
    return loadFromEvents(signal);
  }
}

/** The figures of the overview; without analytics, what the list of events can tell. */
export const dashboardQuery = () =>
  queryOptions({ queryKey: ['analytics'], queryFn: ({ signal }) => load(signal) });

const day = 86_400_000;
const window = 30;

/** The events deleted within the last 30 days. */
function deletedWithin30Days(events: readonly Event[], now: number): readonly Event[] {
  return events.filter(
    ({ deleted_at }) =>
      deleted_at !== undefined && deleted_at !== null && now - Date.parse(deleted_at) <= window * day,
  );
}
