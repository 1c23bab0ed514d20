import type { Credits, Event, HistoryLine, Photo, User } from '../../platform/api/types';
import { newEvent } from '../../studio/shared/events/newEvent';
import { type Illustration, illustrationUrl } from '../../ui/illustrations/illustrations';

const millisecondsPerDay = 86_400_000;

export interface SampleData {
  user: User;
  credits: Credits;
  /** Adds up to the credits; newest first. */
  history: HistoryLine[];
  events: Event[];
  deletedEvents: Event[];
  /** Newest first. */
  photos: Photo[];
  days: { date: string; uploads: number; searches: number }[];
}

/** Drawings with their sizes; nobody is in them. */
const pictures: [Illustration, width: number, height: number][] = [
  ['sunset', 600, 400],
  ['dancefloor', 600, 400],
  ['arch', 600, 400],
  ['embrace', 600, 400],
  ['portrait', 400, 600],
  ['garden', 600, 400],
  ['confetti', 600, 400],
  ['lanterns', 600, 400],
  ['singer', 600, 400],
  ['sparklers', 600, 400],
  ['cake', 600, 400],
  ['beach', 600, 400],
  ['lights', 600, 400],
  ['toast', 600, 400],
  ['candles', 600, 400],
  ['city', 600, 400],
];

interface EventSpec {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  /** Days from today to its date. */
  inDays: number;
  photos: number;
  searchable: number;
  faces: number;
}

// The first one is the sample event of the landing page: 247 photos, 89 faces, 85 % processed.
const eventSpecs: EventSpec[] = [
  {
    id: 'sample',
    name: 'Sample event',
    slug: 'sample-event',
    description: 'Demo data',
    inDays: -1,
    photos: 247,
    searchable: 210,
    faces: 89,
  },
  {
    id: 'sea',
    name: 'A day by the sea',
    slug: 'a-day-by-the-sea',
    description: null,
    inDays: -12,
    photos: 64,
    searchable: 64,
    faces: 31,
  },
  {
    id: 'gala',
    name: 'Winter gala',
    slug: 'winter-gala',
    description: 'Nothing uploaded yet',
    inDays: 20,
    photos: 0,
    searchable: 0,
    faces: 0,
  },
];

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const momentOf = (time: number) => new Date(time).toISOString();

const lineOf = (time: number, line: Partial<HistoryLine> & Pick<HistoryLine, 'kind'>): HistoryLine => ({
  date: momentOf(time),
  credits: 0,
  paid: 0,
  missing: 0,
  photos: 0,
  event: null,
  payment_id: null,
  notes: [],
  note: null,
  ...line,
});

function eventOf(spec: EventSpec, now: number): Event {
  const { id, name, slug, description, photos, searchable, faces } = spec;
  const date = now + spec.inDays * millisecondsPerDay;
  return {
    ...newEvent,
    id,
    name,
    slug,
    description,
    date: dayOf(date),
    created_at: momentOf(Math.min(now, date) - 10 * millisecondsPerDay),
    total_photos_uploaded: photos,
    lifetime_days: 10 + Math.max(0, -spec.inDays),
    photos_indexed: searchable,
    faces_indexed: faces,
    expires_at: photos === 0 ? null : momentOf(date + 30 * millisecondsPerDay),
    latest_expires_on: dayOf(date + 30 * millisecondsPerDay),
    indexing: { indexed: searchable, waiting: photos - searchable, failed: 0, total: photos },
  };
}

function photosOf(spec: EventSpec, now: number): Photo[] {
  return Array.from({ length: spec.photos }, (_, index): Photo => {
    const [illustration, width, height] = pictures[(index * 5) % pictures.length] ?? ['sunset', 600, 400];
    const filename = `DSC_${String(1000 + spec.photos - index)}.jpg`;
    const searchable = index < spec.searchable;
    const url = illustrationUrl(illustration);
    return {
      id: `${spec.id}-${String(spec.photos - index)}`,
      url,
      thumbnail_url: url,
      filename,
      original_filename: filename,
      event_id: spec.id,
      width: width * 10,
      height: height * 10,
      size_bytes: 4_000_000,
      average_color: null,
      not_me_reports: 0,
      albums: [],
      downloads: 0,
      hearts: 0,
      status: searchable ? 'ready' : 'processing',
      failure: null,
      failure_code: null,
      // Spread evenly, so that they add up to the faces of the event.
      faces: searchable && (index * spec.faces) % spec.searchable < spec.faces ? 1 : 0,
      created_at: momentOf(now + spec.inDays * millisecondsPerDay - index * 60_000),
    };
  });
}

/** The account, events and photos of the demo, with dates around `now`. */
export function sampleData(now: number): SampleData {
  const deleted = eventOf(
    {
      id: 'old',
      name: 'Spring fair',
      slug: 'spring-fair',
      description: null,
      inDays: -45,
      photos: 118,
      searchable: 118,
      faces: 70,
    },
    now,
  );
  return {
    user: {
      id: 'demo',
      name: 'Mira Sen',
      email: 'mira@example.com',
      email_verified: true,
      is_photographer: true,
      is_admin: false,
      premium: false,
      pending_email: null,
      pending_email_needs_agreement: false,
      created_at: momentOf(now - 90 * millisecondsPerDay),
    },
    credits: {
      credits: 171,
      total_credits_earned: 600,
      total_credits_spent: 429,
      is_first_recharge: false,
    },
    history: [
      lineOf(now - 12 * millisecondsPerDay, { kind: 'photos', credits: -429, photos: 429 }),
      lineOf(now - 20 * millisecondsPerDay, { kind: 'doubling', credits: 250 }),
      lineOf(now - 20 * millisecondsPerDay, { kind: 'recharge', credits: 250, paid: 250 }),
      lineOf(now - 90 * millisecondsPerDay, { kind: 'signup', credits: 100 }),
    ],
    events: eventSpecs.map((spec) => eventOf(spec, now)),
    deletedEvents: [{ ...deleted, deleted_at: momentOf(now - 9 * millisecondsPerDay) }],
    photos: eventSpecs.flatMap((spec) => photosOf(spec, now)),
    days: [
      { date: dayOf(now - 12 * millisecondsPerDay), uploads: 64, searches: 9 },
      { date: dayOf(now - 11 * millisecondsPerDay), uploads: 0, searches: 21 },
      { date: dayOf(now - millisecondsPerDay), uploads: 247, searches: 12 },
      { date: dayOf(now), uploads: 0, searches: 4 },
    ],
  };
}
