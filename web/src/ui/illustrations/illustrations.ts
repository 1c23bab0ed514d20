const files = import.meta.glob<string>('./*.svg', { eager: true, query: '?url', import: 'default' });

/** Illustrations used instead of photos, so that no real people are shown. */
export type Illustration =
  | 'arch'
  | 'beach'
  | 'cake'
  | 'candles'
  | 'city'
  | 'code'
  | 'confetti'
  | 'dancefloor'
  | 'embrace'
  | 'garden'
  | 'lanterns'
  | 'lights'
  | 'portrait'
  | 'selfie'
  | 'singer'
  | 'sparklers'
  | 'sunset'
  | 'toast';

/** The URL of an illustration. */
export function illustrationUrl(name: Illustration): string {
  const path = files[`./${name}.svg`];
  if (path === undefined) throw new Error(`there is no illustration ${name}`);
  return path;
}
