import { ApiError } from '../../platform/api/errors';
import { type Heart, storedHearts } from '../../platform/storage/heartStorage';
import { request } from '../request';

/** The events whose hearts are being counted. */
const counting = new Set<string>();

const hearts = (slug: string): readonly Heart[] => storedHearts(slug).read() ?? [];

/** Writes the heart of a photo; none is kept that is neither on nor counted. Returns false if the browser rejected it. */
function write(slug: string, heart: Heart): boolean {
  const others = hearts(slug).filter(({ photo }) => photo !== heart.photo);
  return storedHearts(slug).write(heart.on || heart.counted ? [...others, heart] : others);
}

const find = (slug: string, id: string) => hearts(slug).find(({ photo }) => photo === id);

/** Puts a heart on a photo, or takes it back. Returns false if the browser keeps nothing. */
export function toggleHeart(slug: string, photo: string, key: string): boolean {
  const { on = false, counted = false } = find(slug, photo) ?? {};
  return write(slug, { photo, key, on: !on, counted });
}

/** Whether the server will never count it: the photo is gone, or is known by another key. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 400 || error.status === 404);

/**
 * Tells the server of hearts that its numbers do not have yet, one after the other. What could not be counted for the moment
 * stays for the next time; the guest is not told, since the heart is theirs all the same.
 */
export async function countHearts(slug: string): Promise<void> {
  if (counting.has(slug)) return;
  counting.add(slug);
  try {
    for (;;) {
      const next = hearts(slug).find(({ on, counted }) => on !== counted);
      if (next === undefined) return;
      const { photo, key, on } = next;
      // The page may be closed meanwhile.
      const options = { body: { key, on }, signal: new AbortController().signal, keepalive: true };
      try {
        await request<null>(`/api/face/hearts/${slug}`, options, '');
      } catch (error) {
        if (!isFinal(error)) return;
      }
      const now = find(slug, photo) ?? next;
      if (!write(slug, { ...now, counted: on })) return;
    }
  } finally {
    counting.delete(slug);
  }
}
