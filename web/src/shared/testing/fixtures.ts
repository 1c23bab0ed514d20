import type { Event, Photo } from '../api/types';

/** An event as the API returns it, with overrides. */
export const anEvent = (overrides: Partial<Event> = {}): Event => ({
  id: 'e1',
  name: 'Sangeet',
  date: '2026-11-14',
  slug: 'sangeet-k7m2x9q4tr',
  description: null,
  created_at: '2026-11-01T10:00:00Z',
  deleted_at: null,
  total_photos_uploaded: 0,
  lifetime_days: 13,
  photos_indexed: 0,
  faces_indexed: 0,
  expires_at: null,
  indexing: { indexed: 0, waiting: 0, failed: 0, total: 0 },
  tells_guests: 'unavailable',
  keeps_metadata: false,
  deleting: false,
  task_id: null,
  ...overrides,
});

export const aPhoto = (overrides: Partial<Photo> = {}): Photo => ({
  id: 'p1',
  url: '/files/p1',
  thumbnail_url: '/files/p1-small',
  filename: 'DSC_0001.jpg',
  original_filename: 'DSC_0001.jpg',
  event_id: 'e1',
  width: 6000,
  height: 4000,
  size_bytes: 1000,
  status: 'ready',
  failure: null,
  failure_code: null,
  faces: 2,
  not_me_reports: 0,
  created_at: '2026-11-14T20:00:00Z',
  ...overrides,
});
