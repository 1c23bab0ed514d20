import { storedDevice } from '../../platform/storage/deviceStorage';

/** 256 random bits as base64url. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Where the browser keeps nothing, for as long as the page. */
const unkept = new Map<string, string>();

/** The secret by which the server knows this device's photos of an event. */
export function deviceOf(slug: string): string {
  const stored = storedDevice(slug);
  const known = stored.read() ?? unkept.get(slug);
  if (known !== undefined) return known;
  const secret = newSecret();
  if (!stored.write(secret)) unkept.set(slug, secret);
  return secret;
}
