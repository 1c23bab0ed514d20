import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const Hidden = styled('input')({
  position: 'absolute',
  width: 1,
  height: 1,
  opacity: 0,
  overflow: 'hidden',
});

type Look = 'link' | 'big' | 'pill' | 'side';

const Label = styled('label', { shouldForwardProp: (prop) => prop !== 'look' })<{ look: Look }>(
  ({ theme, look }) => ({
    position: 'relative',
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: 8,
    minHeight: 44,
    fontWeight: 600,
    cursor: 'pointer',
    '&:focus-within:has(:focus-visible)': {
      outline: `3px solid ${theme.vars.palette.primary.main}`,
      outlineOffset: 2,
      borderRadius: 8,
    },
    ...(look === 'link' && {
      textDecoration: 'underline',
      textUnderlineOffset: 4,
      textDecorationThickness: 1,
      textDecorationColor: theme.vars.palette.control,
    }),
    ...(look === 'big' && {
      width: '100%',
      minHeight: 64,
      padding: '0 28px',
      borderRadius: 20,
      fontSize: 19,
      letterSpacing: '-0.01em',
      color: theme.vars.palette.primary.contrastText,
      backgroundColor: theme.vars.palette.primary.main,
      '&:hover': { backgroundColor: theme.vars.palette.primary.dark },
      '&:focus-within:has(:focus-visible)': {
        outline: `3px solid ${theme.vars.palette.primary.main}`,
        outlineOffset: 2,
        borderRadius: 20,
      },
    }),
    ...(look === 'pill' && {
      flex: 'none',
      padding: '0 14px',
      border: `1px solid ${theme.vars.palette.divider}`,
      borderRadius: 999,
      fontSize: 14,
      fontWeight: 500,
      whiteSpace: 'nowrap',
      backgroundColor: theme.vars.palette.background.paper,
    }),
    ...(look === 'side' && {
      flexDirection: 'column',
      gap: 6,
      padding: '14px 0 0',
      fontSize: 14,
      fontWeight: 500,
      color: '#FFFFFF',
      '&:focus-within:has(:focus-visible)': {
        outline: '3px solid #FFFFFF',
        outlineOffset: 2,
        borderRadius: 8,
      },
    }),
  }),
);

/**
 * Opens the file picker for images; with `capture` the front camera app of the phone.
 * A label around its input, so that it works in browsers that block programmatic clicks.
 */
export function PhotoPicker({
  look,
  capture = false,
  onPick,
  children,
}: {
  look: Look;
  capture?: boolean;
  onPick: (file: File) => void;
  children: ReactNode;
}) {
  return (
    <Label look={look}>
      <Hidden
        type="file"
        accept="image/*"
        {...(capture && { capture: 'user' as const })}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // So that picking the same file again triggers a change.
          target.value = '';
          if (file !== undefined) onPick(file);
        }}
      />
      {children}
    </Label>
  );
}
