import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../platform/api/client';
import { ApiError } from '../../platform/api/errors';
import type { DeletedEvent } from '../../platform/api/types';
import type { Day } from './activity';

export interface Dashboard {
  activeEvents: number;
  deletedEvents: number;
  totalEvents: number;
  totalPhotos: number;
  recentlyDeleted: readonly DeletedEvent[];
  /** The days with activity of the last 30; null if only the list of events could be loaded. */
  days: readonly Day[] | null;
  /** How far the photos are described anew; null where none waits for it. */
  renewal: Renewal | null;
}

/** A change of the face models: guests find all photos meanwhile. */
export interface Renewal {
  described: number;
  total: number;
  secondsLeft: number | null;
}

const fallbackMessage = () => t`Failed to load dashboard data`;

async function countPhotos(signal: AbortSignal): Promise<number> {
  try {
    return (await unwrapResponse(api.GET('/api/photos/count', { signal }), fallbackMessage())).total_count;
  } catch {
    // A failed count is shown as 0; the rest of the page does not depend on it.
    return 0;
  }
}

async function loadFromEvents(signal: AbortSignal): Promise<Dashboard> {
  const [events, totalPhotos] = await Promise.all([
    unwrapResponse(api.GET('/api/events/', { signal }), fallbackMessage()),
    countPhotos(signal),
  ]);
  return {
    activeEvents: events.length,
    deletedEvents: 0,
    totalEvents: events.length,
    totalPhotos,
    recentlyDeleted: [],
    days: null,
    renewal: null,
  };
}

async function load(signal: AbortSignal): Promise<Dashboard> {
  try {
    const { summary, recent_deleted_events, days, renewal } = await unwrapResponse(
      api.GET('/api/events/analytics', { signal }),
      fallbackMessage(),
    );
    return {
      activeEvents: summary.active_events,
      deletedEvents: summary.deleted_events,
      totalEvents: summary.total_events,
      totalPhotos: summary.total_photos_uploaded,
      recentlyDeleted: deletedWithin30Days(recent_deleted_events, Date.now()),
      days,
      renewal: renewal
        ? {
            described: renewal.described,
            total: renewal.total,
            secondsLeft: renewal.seconds_left ?? null,
          }
        : null,
    };
  } catch (error) {
    if (signal.aborted || (error instanceof ApiError && error.status === 401)) throw error;
    return loadFromEvents(signal);
  }
}

/** The figures of the dashboard; if analytics fail, those that the list of events provides. */
export const dashboardQuery = () =>
  queryOptions({ queryKey: ['analytics'], queryFn: ({ signal }) => load(signal) });

const millisecondsPerDay = 86_400_000;
const windowDays = 30;

/** The events deleted within the last 30 days. */
function deletedWithin30Days(events: readonly DeletedEvent[], now: number): readonly DeletedEvent[] {
  return events.filter(
    ({ deleted_at }) =>
      deleted_at !== undefined &&
      deleted_at !== null &&
      now - Date.parse(deleted_at) <= windowDays * millisecondsPerDay,
  );
}

export const restoreEvent = (id: string) =>
  unwrapResponse(
    api.POST('/api/events/{event}/restore', { params: { path: { event: id } } }),
    t`The event could not be restored. Please try again.`,
  );

export const purgeEvent = (id: string) =>
  unwrapResponse(
    api.POST('/api/events/{event}/purge', { params: { path: { event: id } } }),
    t`The event could not be deleted. Please try again.`,
  );
