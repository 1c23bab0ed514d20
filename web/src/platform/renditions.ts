import type { components } from './api/schema.gen';

/** Pixels of the long side of each rendition of a photo; a smaller photo keeps its size. */
export const renditionSides = { thumbnail: 480, medium: 1024, preview: 2048 } as const;

export type Rendition = keyof typeof renditionSides;

interface Size {
  width: number;
  height: number;
}

/** The size of a rendition in pixels, from that of the photo; 0 if unknown. */
export function renditionSize({ width, height }: Size, rendition: Rendition): Size {
  const scale = Math.min(1, renditionSides[rendition] / Math.max(width, height, 1));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** A point of a picture, as fractions of its width and height from the top left: the middle of its faces. */
export type Focus = components['schemas']['Focus'];

/** How far along one side, in units of the container, a picture of this length is moved so that `place` of it is in the middle. */
const along = (unit: string, length: string, place: number): string =>
  `clamp(100${unit} - ${length}, 50${unit} - ${place} * ${length}, 0px)`;

const isFraction = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

/** What is known of a photo may come from the storage of a browser. */
const isPlace = (focus: Focus | null | undefined): focus is Focus =>
  isFraction(focus?.x) && isFraction(focus?.y);

/**
 * `object-position` of a picture of these proportions that covers the container around it (`container-type: size`): its faces
 * are in the middle, as far as the picture reaches. Undefined where they are not known: the style sheet's holds.
 */
export function positionIn(
  focus: Focus | null | undefined,
  width: number,
  height: number,
): string | undefined {
  if (!isPlace(focus) || width <= 0 || height <= 0) return undefined;
  const wide = `max(100cqw, ${(100 * width) / height}cqh)`;
  const high = `max(100cqh, ${(100 * height) / width}cqw)`;
  return `${along('cqw', wide, focus.x)} ${along('cqh', high, focus.y)}`;
}

/**
 * The same for a picture of unknown proportions. A percentage lays that part of the picture on the same part of its box, so that
 * faces near an edge stay near it: half as much again takes them towards the middle, and keeps them in sight, whether little or
 * much is cropped.
 */
export function position(focus: Focus | null | undefined): string | undefined {
  if (!isPlace(focus)) return undefined;
  const percent = (place: number) => `${Math.min(Math.max(place * 150 - 25, 0), 100)}%`;
  return `${percent(focus.x)} ${percent(focus.y)}`;
}
