/** Files whose names are those of photos of the event: edited versions, perhaps, that may take their place. */

/** The photo that a file would take the place of. */
export interface Version {
  photoId: string;
  /** The name of the photo's file: that of the new one may differ in case and ending. */
  filename: string;
  /** Whether that costs nothing. */
  free: boolean;
}

/** What the queue knows of a file's name. */
export interface Versioned {
  /** The server is first asked which photo has its name. */
  awaitsName: boolean;
  /** The photo that has its name. */
  version: Version | null;
  /** Whether it takes that photo's place; null as long as that is not decided. */
  replaces: boolean | null;
}

export const unversioned: Versioned = { awaitsName: false, version: null, replaces: null };

interface Queued extends Versioned {
  id: string;
  filename: string;
  status: string;
  awaitsLookup: boolean;
}

/** The part of the queue that decides about versions. */
interface VersionQueue<Item> {
  items: readonly Item[];
  lookupsStalled: boolean;
}

/** Where the files of the queue stand that may be versions. */
export interface VersionState<Item> {
  /** Files whose names are not known yet. */
  asked: number;
  /** Files whose bytes may be there already: then there is nothing to decide. */
  compared: number;
  /** Files of which the photographer has to say whether they take a photo's place. */
  undecided: readonly Item[];
}

const folded = (name: string) => name.normalize('NFC').toLowerCase();

/**
 * Of several files for one photo that of its very name is its version, whatever its case and then with another ending if no
 * other has it; of several that are alike none is.
 */
function closest<Item extends Queued>(claims: readonly Item[]): Item | null {
  for (const isSame of [
    (item: Item) => item.filename === item.version?.filename,
    (item: Item) => folded(item.filename) === folded(item.version?.filename ?? ''),
    () => true,
  ]) {
    const same = claims.filter(isSame);
    if (same.length > 0) return same.length === 1 ? (same[0] ?? null) : null;
  }
  return null;
}

export function versionState<Item extends Queued>({
  items,
  lookupsStalled,
}: VersionQueue<Item>): VersionState<Item> {
  let asked = 0;
  let compared = 0;
  const claims = new Map<string, Item[]>();
  for (const item of items) {
    if (item.status !== 'pending') continue;
    if (item.awaitsName) asked += 1;
    else if (item.version !== null && item.replaces === null) {
      if (item.awaitsLookup && !lookupsStalled) compared += 1;
      const { photoId } = item.version;
      claims.set(photoId, [...(claims.get(photoId) ?? []), item]);
    }
  }
  const undecided = asked + compared > 0 ? [] : [...claims.values()].map(closest);
  return { asked, compared, undecided: undecided.filter((item) => item !== null) };
}

/** Whether nothing is started because of versions: what they are is not known, or not decided. */
export function isHeldForVersions<Item extends Queued>(queue: VersionQueue<Item>): boolean {
  const { asked, compared, undecided } = versionState(queue);
  return asked + compared + undecided.length > 0;
}

/** The files with what the server says of their names; of those that it says nothing of, no photo has the name. */
export const withVersions = <Item extends Queued>(
  items: readonly Item[],
  found: ReadonlyMap<string, Version | null>,
): Item[] =>
  items.map((item) => {
    const version = found.get(item.id);
    return version === undefined ? item : { ...item, awaitsName: false, version };
  });

/** The files with what the photographer says of the undecided ones. */
export function withDecision<Item extends Queued>(queue: VersionQueue<Item>, replace: boolean): Item[] {
  const decided = new Set(versionState(queue).undecided.map(({ id }) => id));
  return queue.items.map((item) =>
    item.status === 'pending' && item.version !== null && item.replaces === null
      ? { ...item, replaces: replace && decided.has(item.id) }
      : item,
  );
}
