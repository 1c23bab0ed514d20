import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** The heading of a view. It takes the focus when the view appears, and shows no ring: nothing can be done with it. */
export function ViewTitle({
  id,
  component = 'h2',
  large = false,
  children,
}: {
  id?: string;
  component?: 'h1' | 'h2';
  /** Grows from 900 px, where it stands in a sheet of its own. */
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
