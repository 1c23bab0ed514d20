import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';

/** Sets the document's title while the page is shown. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Afterglow`;
  }, [title]);
}

/** The column of a screen: `width` of its content in px, sides 16 on phones and 32 from 900. */
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

/** The heading of a screen with a line below it and its actions at the right. */
export function PageHead({
  title,
  line,
  beside,
  children,
}: {
  title: string;
  line?: ReactNode;
  beside?: ReactNode;
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
          {beside}
        </Box>
        {line !== undefined && (
          <Typography color="textSecondary" sx={{ mt: 1.5 }}>
            {line}
          </Typography>
        )}
      </Box>
      {children !== undefined && <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>{children}</Box>}
    </Box>
  );
}
