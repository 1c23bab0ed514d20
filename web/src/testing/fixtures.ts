import type { Event, Photo } from '../platform/api/types';
import { newEvent } from '../studio/shared/events/newEvent';

/** An event as the API returns it, with overrides. */
export const anEvent = (overrides: Partial<Event> = {}): Event => ({
  ...newEvent,
  id: 'e1',
  name: 'Sangeet',
  date: '2026-11-14',
  slug: 'sangeet-k7m2x9q4tr',
  created_at: '2026-11-01T10:00:00Z',
  lifetime_days: 13,
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
  albums: [],
  downloads: 0,
  hearts: 0,
  uploader: null,
  created_at: '2026-11-14T20:00:00Z',
  ...overrides,
});
