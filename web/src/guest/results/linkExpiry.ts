import { linksExpired } from '../search/savedSearch';

/** The end of a signed link in milliseconds since the epoch, ours or that of an object store; null if it names none. */
function expiryOf(link: string): number | null {
  const query = new URLSearchParams(link.split('?')[1]);
  const seconds = Number(query.get('expires') ?? query.get('Expires') ?? NaN);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const signed = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get('X-Amz-Date') ?? '');
  const lifetime = Number(query.get('X-Amz-Expires') ?? NaN);
  if (signed === null || !Number.isFinite(lifetime)) return null;
  const [year = 0, month = 0, ...rest] = signed.slice(1).map(Number);
  return Date.UTC(year, month - 1, ...rest) + lifetime * 1000;
}

/** Whether a link has run out, rather than that its image failed for another reason. */
export function linkHasExpired(
  link: string,
  result: Parameters<typeof linksExpired>[0],
  now: number,
): boolean {
  const expiry = expiryOf(link);
  return expiry === null ? linksExpired(result, now) : now > expiry;
}
