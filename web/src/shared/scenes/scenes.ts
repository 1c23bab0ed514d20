const files = import.meta.glob<string>('./*.svg', { eager: true, query: '?url', import: 'default' });

/** The drawn scenes that stand for photos: nobody real is in them. */
export type Scene =
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

/** Where a scene's picture lies. */
export function pathOf(scene: Scene): string {
  const path = files[`./${scene}.svg`];
  if (path === undefined) throw new Error(`there is no scene ${scene}`);
  return path;
}
