import type { Event } from '../../../platform/api/types';

/** What the server answers of an event that has just been made, beside what it was made with. */
export const newEvent: Omit<Event, 'id' | 'name' | 'date' | 'slug' | 'created_at'> = {
  description: null,
  deleted_at: null,
  total_photos_uploaded: 0,
  lifetime_days: 0,
  photos_indexed: 0,
  faces_indexed: 0,
  expires_at: null,
  expires_on: null,
  latest_expires_on: null,
  time_zone: 'UTC',
  cover_url: null,
  indexing: { indexed: 0, waiting: 0, failed: 0, total: 0 },
  tells_guests: 'unavailable',
  keeps_metadata: false,
  uploads_closed: false,
  takes_questions: true,
  browsable: false,
  keeps_names: false,
  asks_pin: false,
  downloads: 'original',
  deleting: false,
  task_id: null,
  role: 'owner',
  owner_name: null,
};
