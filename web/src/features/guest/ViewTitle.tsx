import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** The heading of a view. It is focused programmatically when the view changes, without a focus ring. */
export function ViewTitle({
  id,
  component = 'h2',
  large = false,
  children,
}: {
  id?: string;
  component?: 'h1' | 'h2';
  /** Larger from 900 px, where the sheet is a separate pane. */
  large?: boolean;
  children: ReactNode;
}) {
  return (
    <Typography
      variant="h2"
      component={component}
      id={id}
      tabIndex={-1}
      data-view-title
      sx={{
        '&:focus-visible': { outline: 'none' },
        fontSize: large ? { md: 40 } : 'clamp(23px, 6.9vw, 28px)',
      }}
    >
      {children}
    </Typography>
  );
}
