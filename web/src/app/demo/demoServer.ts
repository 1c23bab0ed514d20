import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { Transport } from '../../platform/api/authorizedFetch';
import type { UploadOutcome, UploadRequest } from '../../platform/api/upload';
import type { Event, Photo } from '../../platform/api/types';
import type { EventChanges } from '../../studio/shared/events/editing/changeEvent';
import { newEvent } from '../../studio/shared/events/newEvent';
import { delay } from '../../platform/delay';
import type { SampleData } from './sampleData';

/** Milliseconds. */
const uploadDuration = 1500;
const uploadSteps = 10;
const indexingDuration = 6000;

const pageSize = 200;
/** Where the face of a drawn sample is said to be. */
const sampleFace = { x: 0.42, y: 0.22, width: 0.16, height: 0.26 };
const notInTheDemo = () => t`This is the demo: there is no server that could do that.`;
const eventNotFound = () => t`Event not found`;
const photoNotFound = () => t`Photo not found`;

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const refusal = (status: number, error: string) => json({ error, code: 'demo' }, status);

interface Call {
  /** What the last part of the path is, for handlers of one entity. */
  id: string;
  query: URLSearchParams;
  request: Request;
}
type Handler = (call: Call) => Response | Promise<Response>;

/** The server of the demo: sample data in memory, changed by what is done on the screens and forgotten with the document. */
export function createDemoServer(data: SampleData) {
  const eventOf = (id: string | null) => data.events.find((event) => event.id === id);
  const changeEvent = (id: string, change: (event: Event) => Event) => {
    data.events = data.events.map((event) => (event.id === id ? change(event) : event));
  };
  const count = (id: string, change: Partial<Record<keyof Event['indexing'], number>>) =>
    changeEvent(id, (event) => {
      const { indexed, waiting, failed, total } = event.indexing;
      const indexing = {
        indexed: indexed + (change.indexed ?? 0),
        waiting: waiting + (change.waiting ?? 0),
        failed,
        total: total + (change.total ?? 0),
      };
      return { ...event, indexing, photos_indexed: indexing.indexed, total_photos_uploaded: indexing.total };
    });

  const analytics = () => {
    const photos = data.events.reduce((sum, event) => sum + event.total_photos_uploaded, 0);
    const total = data.events.length + data.deletedEvents.length;
    return json({
      summary: {
        total_events: total,
        active_events: data.events.length,
        deleted_events: data.deletedEvents.length,
        avg_photos_per_event: Math.round(photos / Math.max(1, data.events.length)),
        total_photos_uploaded: photos,
        total_faces_indexed: data.events.reduce((sum, event) => sum + event.faces_indexed, 0),
      },
      recent_deleted_events: data.deletedEvents,
      all_events: [...data.events, ...data.deletedEvents],
      days: data.days,
    });
  };

  /** The sample has the searches of all events together; visits and what they found follow from them. */
  const statistics = ({ id }: Call) => {
    const event = eventOf(id);
    if (event === undefined) return refusal(404, eventNotFound());
    const countsOf = (searches: number) => ({
      visits: searches * 2,
      searches,
      searches_found: searches,
      searches_empty: 0,
      found_percent: searches === 0 ? null : 100,
      guests_helped: searches,
      downloads: searches * 5,
      browsed: 0,
      hearts: searches,
    });
    const days = event.total_photos_uploaded === 0 ? [] : data.days;
    return json({
      totals: countsOf(days.reduce((sum, { searches }) => sum + searches, 0)),
      days: days.map(({ date, uploads, searches }) => ({ date, uploads, ...countsOf(searches) })),
    });
  };

  const searchPhotos = ({ query }: Call) => {
    const event = query.get('event_id');
    const filename = query.get('filename');
    const found = data.photos.filter(
      (photo) =>
        (event === null || photo.event_id === event) &&
        (filename === null || photo.original_filename === filename) &&
        (query.get('without_faces') !== 'true' || (photo.status === 'ready' && photo.faces === 0)),
    );
    const cursor = query.get('cursor');
    const start = cursor === null ? 0 : found.findIndex(({ id }) => id === cursor) + 1;
    const photos = found.slice(start, start + Number(query.get('limit') ?? pageSize));
    const last = photos.at(-1);
    const next_cursor = last === undefined || last === found.at(-1) ? null : last.id;
    return json({ photos, total_count: found.length, next_cursor });
  };

  const createEvent = async ({ request }: Call) => {
    const { name, date } = (await request.json()) as { name: string; date: string };
    const id = `event-${String(data.events.length + 1)}-${String(Date.now())}`;
    const created_at = new Date().toISOString();
    const event: Event = { ...newEvent, id, name: name.trim(), date, slug: id, created_at };
    data.events = [event, ...data.events];
    return json(event, 201);
  };

  const deleteEvent = ({ id }: Call) => {
    const event = eventOf(id);
    if (event === undefined) return refusal(404, eventNotFound());
    data.events = data.events.filter((each) => each.id !== id);
    data.photos = data.photos.filter((photo) => photo.event_id !== id);
    data.deletedEvents = [{ ...event, deleted_at: new Date().toISOString() }, ...data.deletedEvents];
    return json({ event_data: { id, name: event.name } });
  };

  const editEvent = async ({ id, request }: Call) => {
    const event = eventOf(id);
    if (event === undefined) return refusal(404, eventNotFound());
    const { cover_photo_id: cover, tells_guests, pin, ...changes } = (await request.json()) as EventChanges;
    if (tells_guests === true || typeof pin === 'string') return refusal(403, notInTheDemo());
    const photo = data.photos.find(({ id: each }) => each === cover);
    const shown = {
      cover_url: photo?.url ?? null,
      cover_thumbnail_url: photo?.thumbnail_url,
      cover_focus: photo?.focus,
      cover_is_automatic: false,
    };
    const changed = { ...event, ...changes, ...(cover !== undefined && shown) } as Event;
    data.events = data.events.map((each) => (each.id === id ? changed : each));
    return json(changed);
  };

  /** Nothing is held in the demo: nobody else would see it. */
  const changePublication = async ({ id, request }: Call) => {
    const event = eventOf(id);
    if (event === undefined) return refusal(404, eventNotFound());
    const { publication } = (await request.json()) as { publication?: Event['publication'] };
    if (publication === 'held') return refusal(403, notInTheDemo());
    const changed: Event = { ...event, ...(publication !== undefined && { publication }) };
    data.events = data.events.map((each) => (each.id === id ? changed : each));
    return json(changed);
  };

  const deletePhotos = async ({ request }: Call) => {
    const { photo_ids } = (await request.json()) as { photo_ids: string[] };
    const gone = data.photos.filter(({ id }) => photo_ids.includes(id));
    data.photos = data.photos.filter((photo) => !gone.includes(photo));
    for (const { event_id, status } of gone) {
      const searchable = status === 'ready';
      count(event_id ?? '', { indexed: searchable ? -1 : 0, waiting: searchable ? 0 : -1, total: -1 });
    }
    return json({ deleted: gone.length, photo_ids: gone.map(({ id }) => id) });
  };

  const changeProfile = async ({ request }: Call) => {
    const { name } = (await request.json()) as { name?: string };
    if (name === undefined) return refusal(400, notInTheDemo());
    data.user = { ...data.user, name };
    return json({ user: data.user });
  };

  // A last part in braces stands for any id.
  const handlers: Partial<Record<string, Handler>> = {
    'HEAD /api/health': () => new Response(null),
    'GET /api/site': () =>
      json({
        public_url: window.location.origin,
        support_email: 'support@example.com',
        passwords: true,
        retention_days: 30,
        retention_options: [30, 90, 180, 365],
        social: { facebook: '', instagram: '', x: '', linkedin: '' },
      }),
    'GET /api/auth/me': () => json({ user: data.user }),
    'PUT /api/auth/update-profile': changeProfile,
    'GET /api/auth/sessions': () =>
      json({
        sessions: [
          {
            id: 'demo',
            browser: null,
            system: null,
            created_at: data.user.created_at,
            last_used_at: data.user.created_at,
            current: true,
          },
        ],
      }),
    'POST /api/auth/logout': () => json({ success: true }),
    'GET /api/subscription/credits': () => json(data.credits),
    'GET /api/payments/history': () => json({ history: data.history, next_cursor: null }),
    'GET /api/events/search': ({ query }) => {
      const part = (query.get('name') ?? '').toLowerCase();
      const ids = query.get('ids')?.split(',');
      const events = data.events.filter(
        ({ id, name, deleting }) =>
          name.toLowerCase().includes(part) &&
          ids?.includes(id) !== false &&
          query.get('shared') !== 'true' &&
          (query.get('deleting') !== 'true' || deleting),
      );
      return json({ events, next_cursor: null });
    },
    'GET /api/events/{id}': ({ id }) => {
      const event = data.events.find(({ slug }) => slug === id);
      return event === undefined ? refusal(404, eventNotFound()) : json({ ...event, studio: null });
    },
    'POST /api/events/': createEvent,
    'DELETE /api/events/{id}': deleteEvent,
    'PATCH /api/events/{id}': editEvent,
    'PUT /api/events/{id}/publication': changePublication,
    'GET /api/events/{id}/albums': () => json({ albums: [] }),
    'GET /api/events/{id}/wall': () => json({ wall: null }),
    'GET /api/events/{id}/selections': () => json({ selections: [] }),
    'GET /api/events/{id}/guest-photos': () => json({ photos: [], price: 1 }),
    'GET /api/events/{id}/team': ({ id }) =>
      json({
        owner: { name: data.user.name, photos: eventOf(id)?.total_photos_uploaded ?? 0 },
        members: [],
        invitations: [],
      }),
    'GET /api/events/{id}/pin': () => json({ pin: null }),
    'GET /api/events/{id}/people': () =>
      json({
        enabled: true,
        people: [],
        total_count: 0,
        other_count: 0,
        waiting_faces: 0,
        next_cursor: null,
      }),
    'GET /api/events/analytics': analytics,
    'GET /api/events/{id}/statistics': statistics,
    'GET /api/auth/language': () => json({ language: i18n.locale === 'hi' ? 'hi' : 'en' }),
    'GET /api/auth/weekly-summary': () => json({ wanted: false }),
    'GET /api/payments/billing': () => json({ makes_invoices: false, billing: null, states: [] }),
    'GET /api/studio': () => json({ studio: null }),
    'GET /api/objections': () => json({ objections: [] }),
    'GET /api/photos/count': () => json({ total_count: data.photos.length }),
    'GET /api/photos/search': searchPhotos,
    'POST /api/photos/trash': deletePhotos,
    'GET /api/photos/{id}/faces': ({ id }) => {
      const photo = data.photos.find((each) => each.id === id);
      if (photo === undefined) return refusal(404, photoNotFound());
      return json({ faces: Array.from({ length: photo.faces }, () => sampleFace) });
    },
    'GET /api/photos/{id}/file': ({ id }) => {
      const photo = data.photos.find((each) => each.id === id);
      return photo === undefined ? refusal(404, photoNotFound()) : fetch(photo.url);
    },
  };

  const transport: Transport = async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const exact = handlers[`${request.method} ${pathname}`];
    const [, start = '', id = '', end = ''] = /^(\/api\/\w+\/)([^/]+)(\/[\w-]+)?$/.exec(pathname) ?? [];
    const handler = exact ?? handlers[`${request.method} ${start}{id}${end}`];
    if (handler === undefined) return refusal(403, notInTheDemo());
    return handler({ id: decodeURIComponent(id), query: searchParams, request });
  };

  /** Adds the file to the data; it stays in the browser. */
  const store = async (file: File, eventId: string): Promise<Photo> => {
    const url = URL.createObjectURL(file);
    // A file that the browser cannot decode has the shape of most photos.
    const { width, height } = await createImageBitmap(file).catch(() => ({ width: 6000, height: 4000 }));
    const photo: Photo = {
      id: `upload-${String(data.photos.length)}-${String(Date.now())}`,
      url,
      thumbnail_url: url,
      filename: file.name,
      original_filename: file.name,
      event_id: eventId,
      width,
      height,
      size_bytes: file.size,
      average_color: null,
      not_me_reports: 0,
      albums: [],
      downloads: 0,
      hearts: 0,
      status: 'processing',
      failure: null,
      failure_code: null,
      faces: 0,
      created_at: new Date().toISOString(),
    };
    data.photos = [photo, ...data.photos];
    const { credits } = data;
    data.credits = {
      ...credits,
      credits: credits.credits - 1,
      total_credits_spent: credits.total_credits_spent + 1,
    };
    count(eventId, { waiting: 1, total: 1 });
    setTimeout(() => {
      if (!data.photos.some(({ id }) => id === photo.id)) return;
      data.photos = data.photos.map((each) => (each.id === photo.id ? { ...each, status: 'ready' } : each));
      count(eventId, { waiting: -1, indexed: 1 });
    }, indexingDuration);
    return photo;
  };

  const upload = async ({ file, eventId, onProgress, signal }: UploadRequest): Promise<UploadOutcome> => {
    const isAborted = () => signal.aborted;
    for (let step = 1; step <= uploadSteps; step += 1) {
      await delay(uploadDuration / uploadSteps, signal);
      if (isAborted()) return { kind: 'aborted' };
      onProgress((file.size * step) / uploadSteps, file.size);
    }
    if (eventOf(eventId) === undefined) return { kind: 'rejected', status: 404, error: eventNotFound() };
    if (data.credits.credits < 1) return { kind: 'rejected', status: 402, error: notInTheDemo() };
    const known = data.photos.find(
      ({ event_id, original_filename, size_bytes }) =>
        event_id === eventId && original_filename === file.name && size_bytes === file.size,
    );
    const photo = known ?? (await store(file, eventId ?? ''));
    const duplicate = known !== undefined;
    return { kind: 'accepted', photo: { ...photo, duplicate, replaced: false }, duplicate };
  };

  return { transport, upload };
}
