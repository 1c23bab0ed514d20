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
