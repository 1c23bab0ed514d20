/** A phone or tablet. */
export const isTouchDevice = (): boolean => window.matchMedia('(hover: none) and (pointer: coarse)').matches;
