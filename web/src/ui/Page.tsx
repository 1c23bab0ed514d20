import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useDocumentTitle } from './useDocumentTitle';

/** The main content column: `width` of its content in px, side padding 16 on phones and 32 from 900. */
export function Page({ width = 1152, children }: { width?: number; children: ReactNode }) {
  return (
    <Box
      component="main"
      id="main"
      sx={{
        width: '100%',
        maxWidth: width + 64,
        mx: 'auto',
        px: { xs: 4, md: 8 },
        pt: { xs: 6, md: 10 },
        pb: { xs: 14, md: 18 },
      }}
    >
      {children}
    </Box>
  );
}

/** The heading of a screen with an optional subtitle and its actions on the right. */
export function PageHeader({
  title,
  subtitle,
  titleAdornment,
  children,
}: {
  title: string;
  subtitle?: ReactNode;
  titleAdornment?: ReactNode;
  children?: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: { xs: 'column', md: 'row' },
        alignItems: { xs: 'flex-start', md: 'flex-end' },
        gap: { xs: 3.5, md: 4 },
        mb: { xs: 5, md: 7 },
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0, maxWidth: '100%' }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, flexWrap: 'wrap' }}>
          <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          {titleAdornment}
        </Box>
        {subtitle !== undefined && (
          <Typography color="textSecondary" sx={{ mt: 1.5 }}>
            {subtitle}
          </Typography>
        )}
      </Box>
      {children !== undefined && <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>{children}</Box>}
    </Box>
  );
}
