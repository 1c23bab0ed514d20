import type { Focus } from '../../platform/renditions';
import type { Stack } from '../../platform/stacks';
import type { Rejection, Strictness } from './search';

/** A photo in which the person was found. It has at least one of `url`, `thumbnail_url` and `s3_key`. */
export interface Match {
  face_id: string | null;
  photo_id: string | null;
  /** The key of the original, for a fresh download URL. */
  s3_key: string | null;
  /** A signed URL of the preview. */
  url: string | null;
  /** A signed URL of the rendition of 1024 px; null if there is none. */
  medium_url: string | null;
  thumbnail_url: string | null;
  /** '#rrggbb', the average of the photo. */
  color: string | null;
  /** Where its faces are, as the answer has it; undefined if unknown. */
  focus?: Focus | undefined;
  /** Bytes of the original. */
  size_bytes: number | null;
  /** The name of the photographer's file. */
  filename: string | null;
  /** The name under which it is saved, where the event keeps the names of files. */
  save_as?: string;
  /** The ids of the albums that it is in, of the result's. */
  albums: readonly string[];
  /** When it was taken by the camera's clock, in no time zone; null if unknown. */
  captured_at: string | null;
  /** Of which stack of photos that are alike it is. */
  stack?: Stack | null | undefined;
  /** Of earlier searches: what covers it, where the last one has not found it. Left out, it is what the others have. */
  tokens?: readonly string[];
  /** Pixels, upright; 0 if unknown. */
  width: number;
  height: number;
}

/** Photos that the photographer has put together. */
export interface Album {
  id: string;
  name: string;
}

/** The bounding box of a face in the selfie, as fractions of the width and height from the top left. */
export interface FaceBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Indexing {
  indexed: number;
  /** Photos that are still to be indexed; the rest is indexed or cannot be. */
  waiting: number;
  total: number;
}

/** The result of a search. */
export interface SearchResult {
  matches: Match[];
  /** The albums that they are in; those whose photos were removed since may be there too. */
  albums: Album[];
  /** The faces of the first selfie; the first of them was searched for unless the query named another. */
  faces: FaceBox[];
  /** Whether the face is blurred in every selfie, so that a sharper one would find more. */
  blurred: boolean;
  indexing: Indexing;
  /** Tokens that together cover these matches: of this search, and of earlier ones whose photos it kept. */
  downloadTokens: string[];
  /** Repeats the search without the selfies; null if the server gave none. */
  searchToken: string | null;
  /** Lets the guest ask to be told of new photos; null if that is not offered. */
  subscriptionToken: string | null;
  /** The server's preview of the first selfie as a data URL, if it was asked for. */
  preview: string | null;
  /** Said in place of the number of photos, where a search has brought some that this device had not shown. */
  news?: string;
  /** Milliseconds since the epoch; the links in it expire. */
  receivedAt: number;
}

type Fields = Record<string, unknown>;

const toRecord = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const toText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const toTexts = (value: unknown): string[] => toArray(value).flatMap((each) => toText(each) ?? []);
const toNumber = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;

const texts = [
  'face_id',
  'photo_id',
  's3_key',
  'url',
  'medium_url',
  'thumbnail_url',
  'filename',
  'captured_at',
] as const;

function parseMatch(value: unknown): Match {
  const fields = toRecord(value);
  const { color, focus, size_bytes, album_id, albums, stack, tokens, width, height } = fields;
  return {
    ...(Object.fromEntries(texts.map((name) => [name, toText(fields[name])])) as Pick<
      Match,
      (typeof texts)[number]
    >),
    color: typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color : null,
    // Whoever places the photo looks at it.
    focus: focus as Focus | undefined,
    size_bytes: typeof size_bytes === 'number' && size_bytes >= 0 ? size_bytes : null,
    // Results that were saved by an earlier version have one at most.
    albums: toTexts([album_id, ...toArray(albums)]),
    stack: stack as Stack | undefined,
    ...(tokens !== undefined && { tokens: toTexts(tokens) }),
    width: toNumber(width),
    height: toNumber(height),
  };
}

const hasLink = ({ thumbnail_url, url, s3_key }: Match) =>
  thumbnail_url !== null || url !== null || s3_key !== null;

function parseFace(value: unknown): FaceBox {
  const { x, y, width, height } = toRecord(value);
  return { x: toNumber(x), y: toNumber(y), width: toNumber(width), height: toNumber(height) };
}

function parseAlbum(value: unknown): Album[] {
  const { id, name } = toRecord(value);
  return typeof id === 'string' && typeof name === 'string' ? [{ id, name }] : [];
}

export function parseIndexing(value: unknown): Indexing {
  const { indexed, waiting, total } = toRecord(value);
  const searchable = toNumber(indexed);
  const all = toNumber(total);
  // Results that were saved by an earlier version do not have it.
  return {
    indexed: searchable,
    waiting: waiting === undefined ? all - searchable : toNumber(waiting),
    total: all,
  };
}

/** Parses a response of the server, or a saved one. Matches without any link are dropped. */
export function parseSearchResult(value: unknown, receivedAt: number): SearchResult {
  const { matches, faces, indexing, download_token, download_tokens, ...rest } = toRecord(value);
  const token = toText(download_token);
  return {
    matches: toArray(matches).map(parseMatch).filter(hasLink),
    albums: toArray(rest['albums']).flatMap(parseAlbum),
    faces: toArray(faces).map(parseFace),
    blurred: rest['blurred'] === true,
    indexing: parseIndexing(indexing),
    downloadTokens: token === null ? toTexts(download_tokens) : [token],
    searchToken: toText(rest['search_token']),
    subscriptionToken: toText(rest['subscription_token']),
    preview: toText(rest['preview']),
    receivedAt,
  };
}

/** The identity of a match: its photo, or its face if the photo is not named. */
export const matchId = (match: Match): string =>
  match.photo_id ?? match.face_id ?? match.s3_key ?? match.url ?? match.thumbnail_url ?? '';

/** The albums of two results, each once. */
export const uniteAlbums = (albums: readonly Album[], others: readonly Album[]): Album[] => [
  ...albums,
  ...others.filter((other) => !albums.some(({ id }) => id === other.id)),
];

/** Most tokens of a result: the server takes 64 at once, of two results together. */
const maxTokens = 32;

const tokensBefore = (matches: readonly Match[]) => matches.flatMap(({ tokens }) => tokens ?? []);

/** The tokens of the last search. */
function latestTokens({ matches, downloadTokens }: SearchResult): readonly string[] {
  const before = new Set(tokensBefore(matches));
  return downloadTokens.filter((token) => !before.has(token));
}

/** The tokens that cover a match of a result, and no other: one that has ended would stand in its way. */
export const tokensOf = (result: SearchResult, match: Match): readonly string[] =>
  match.tokens ?? latestTokens(result);

/**
 * Merges a later result: existing photos keep their positions and get fresh links, new ones are appended. No photo is
 * removed while the guest looks at it.
 */
export function mergeSearchResults(previous: SearchResult, next: SearchResult): SearchResult {
  const fresh = new Map(next.matches.map((match) => [matchId(match), match]));
  const latest = latestTokens(previous);
  const kept = previous.matches.map(
    (match) => fresh.get(matchId(match)) ?? { ...match, tokens: match.tokens ?? latest },
  );
  const known = new Set(previous.matches.map(matchId));
  return {
    ...next,
    // A search without selfies does not look at them.
    ...(next.faces.length === 0 && { faces: previous.faces, blurred: previous.blurred }),
    matches: [...kept, ...next.matches.filter((match) => !known.has(matchId(match)))],
    albums: uniteAlbums(next.albums, previous.albums),
    downloadTokens: [...new Set([...tokensBefore(kept), ...next.downloadTokens])].slice(-maxTokens),
  };
}

export const strictnessOf = (value: unknown): Strictness =>
  value === 'strict' || value === 'loose' ? value : 'normal';

export function rejectionsOf(value: unknown): Rejection[] {
  if (!Array.isArray(value)) return [];
  return (value as Partial<Rejection>[]).flatMap(({ photo, face }) =>
    typeof photo === 'string' ? [{ photo, face: typeof face === 'string' ? face : null }] : [],
  );
}
