/** Hides a text visually and keeps it for screen readers, where that depends on the width. */
export const visuallyHiddenStyle = {
  position: 'absolute',
  // Not 1, which the style system takes for the full width.
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;
