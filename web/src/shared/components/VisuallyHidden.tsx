import { styled } from '@mui/material/styles';

/** Takes a text out of sight and leaves it to screen readers. */
export const hiddenText = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;

export const VisuallyHidden = styled('span')(hiddenText);
