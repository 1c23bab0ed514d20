import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** An illustration, a title, one sentence and one action, for a screen without content. */
export function EmptyState({
  title,
  description,
  children,
}: {
  title: string;
  description?: string;
  children?: ReactNode;
}) {
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', textAlign: 'center', gap: 2, px: 6, py: 13 }}>
      <Box
        component="svg"
        viewBox="0 0 132 76"
        aria-hidden="true"
        sx={(theme) => ({
          width: 132,
          height: 76,
          mb: 3,
          '& .halo': { fill: theme.vars.palette.soft.accent },
          '& .sun': { fill: theme.vars.palette.primary.main },
          '& .line': { stroke: theme.vars.palette.text.primary, strokeWidth: 2, strokeLinecap: 'round' },
          '& .ripple': {
            stroke: theme.vars.palette.primary.main,
            strokeWidth: 2,
            strokeLinecap: 'round',
            opacity: 0.55,
          },
        })}
      >
        <path className="halo" d="M32 60a34 34 0 0 1 68 0z" />
        <path className="sun" d="M44 60a22 22 0 0 1 44 0z" />
        <path className="line" d="M2 60h128" />
        <path className="ripple" d="M42 68h48M56 75h20" />
      </Box>
      <Typography variant="h3" component="h2">
        {title}
      </Typography>
      {description !== undefined && (
        <Typography color="textSecondary" sx={{ maxWidth: '34ch', textWrap: 'balance' }}>
          {description}
        </Typography>
      )}
      {children !== undefined && <Box sx={{ mt: 2.5 }}>{children}</Box>}
    </Box>
  );
}
