/** A photo in which the person was found. Links and names may be missing, never all of them. */
export interface Match {
  face_id: string | null;
  photo_id: string | null;
  /** Names the original for a fresh download link. */
  s3_key: string | null;
  /** A signed link to the preview. */
  url: string | null;
  thumbnail_url: string | null;
  /** The name the photographer's file had. */
  filename: string | null;
  /** Pixels, upright; 0 where they are not known. */
  width: number;
  height: number;
}

/** A face seen in the selfie, as fractions of its width and height from the top left. */
export interface FaceBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Indexing {
  indexed: number;
  total: number;
}

/** What a search answered. */
export interface Answer {
  matches: Match[];
  /** The faces of the first selfie; the first of them is the one that was searched for unless another was named. */
  faces: FaceBox[];
  indexing: Indexing;
  /** Names the ZIP of these matches; null where the server offers none. */
  downloadToken: string | null;
  /** When it came, in ms since 1970: the links in it expire. */
  receivedAt: number;
}

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const numberOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;

function parseMatch(value: unknown): Match {
  const { face_id, photo_id, s3_key, url, thumbnail_url, filename, width, height } = fieldsOf(value);
  return {
    face_id: textOf(face_id),
    photo_id: textOf(photo_id),
    s3_key: textOf(s3_key),
    url: textOf(url),
    thumbnail_url: textOf(thumbnail_url),
    filename: textOf(filename),
    width: numberOf(width),
    height: numberOf(height),
  };
}

const canBeShown = ({ thumbnail_url, url, s3_key }: Match) =>
  thumbnail_url !== null || url !== null || s3_key !== null;

function parseFace(value: unknown): FaceBox {
  const { x, y, width, height } = fieldsOf(value);
  return { x: numberOf(x), y: numberOf(y), width: numberOf(width), height: numberOf(height) };
}

export function parseIndexing(value: unknown): Indexing {
  const { indexed, total } = fieldsOf(value);
  return { indexed: numberOf(indexed), total: numberOf(total) };
}

/** Reads an answer of the server, or one that was saved. Matches that lead nowhere are dropped. */
export function parseAnswer(value: unknown, receivedAt: number): Answer {
  const { matches, faces, indexing, download_token } = fieldsOf(value);
  return {
    matches: listOf(matches).map(parseMatch).filter(canBeShown),
    faces: listOf(faces).map(parseFace),
    indexing: parseIndexing(indexing),
    downloadToken: textOf(download_token),
    receivedAt,
  };
}

/** What a match is remembered by: its photo, or its face where the photo is not named. */
export const idOf = (match: Match): string =>
  match.photo_id ?? match.face_id ?? match.s3_key ?? match.url ?? match.thumbnail_url ?? '';

/**
 * Takes a later answer in: photos that were there keep their places and get fresh links, new ones follow.
 * Nothing goes away under the thumb.
 */
export function joinAnswers(earlier: Answer, later: Answer): Answer {
  const fresh = new Map(later.matches.map((match) => [idOf(match), match]));
  const kept = earlier.matches.map((match) => fresh.get(idOf(match)) ?? match);
  const known = new Set(earlier.matches.map(idOf));
  return { ...later, matches: [...kept, ...later.matches.filter((match) => !known.has(idOf(match)))] };
}

const endingOf = (name: string): string => /\.[a-z0-9]{1,5}$/i.exec(name)?.[0] ?? '';

/** The name of a photo saved by itself; `place` counts from 1. */
export function singleName(match: Match, place: number): string {
  const last = match.s3_key?.split('/').findLast((part) => part !== '');
  if (last === undefined) return `match-${place}.jpg`;
  return endingOf(last) === '' ? `${last}${endingOf(match.filename ?? '') || '.jpg'}` : last;
}

/** The name of a photo saved with all others; `place` counts from 1. */
export const bulkName = (place: number): string => `photo-${place}.jpg`;
