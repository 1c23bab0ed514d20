import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../../../ui/useDocumentTitle';
import { type Illustration, illustrationUrl } from '../../../ui/illustrations/illustrations';

/** A form beside an illustration; below 900 px the form alone. */
export function AuthLayout({
  title,
  subtitle,
  illustration = 'city',
  tagline,
  taglineText,
  children,
}: {
  title: string;
  subtitle?: ReactNode;
  illustration?: Illustration;
  tagline: string;
  taglineText: string;
  children: ReactNode;
}) {
  useDocumentTitle(title);
  // Not only hidden: phones must not load the image.
  const wide = useMediaQuery((theme) => theme.breakpoints.up('md'));
  return (
    <Box
      sx={{
        minHeight: '100dvh',
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' },
        backgroundColor: 'background.paper',
      }}
    >
      <Box component="main" id="main" sx={{ display: 'flex', px: { xs: 5, md: 8 }, pt: 22, pb: 10 }}>
        <Box sx={{ width: '100%', maxWidth: 400, mx: 'auto', my: { xs: 0, sm: 'auto' } }}>
          <Typography variant="h1" sx={{ fontSize: 40 }}>
            {title}
          </Typography>
          {subtitle !== undefined && (
            <Typography color="textSecondary" sx={{ mt: 2 }}>
              {subtitle}
            </Typography>
          )}
          {children}
        </Box>
      </Box>
      <Box component="aside" sx={{ display: { xs: 'none', md: 'block' }, p: 3 }}>
        <Box
          sx={{
            position: 'sticky',
            top: 12,
            height: 'calc(100dvh - 24px)',
            minHeight: 480,
            borderRadius: '20px',
            overflow: 'hidden',
            color: '#FFFFFF',
            backgroundColor: 'room.ground',
          }}
        >
          {wide && (
            <Box
              component="img"
              src={illustrationUrl(illustration)}
              alt=""
              sx={{ position: 'absolute', inset: 0, width: '100%', height: '100%', objectFit: 'cover' }}
            />
          )}
          <Box
            sx={{
              position: 'absolute',
              inset: 0,
              background: 'linear-gradient(transparent 40%, rgb(8 6 6 / .82))',
            }}
          />
          <Box sx={{ position: 'absolute', left: 36, right: 36, bottom: 36 }}>
            <Typography
              variant="h2"
              component="p"
              sx={{
                fontSize: 40,
                lineHeight: 1.04,
                letterSpacing: '-0.03em',
                maxWidth: '15ch',
                textWrap: 'balance',
              }}
            >
              {tagline}
            </Typography>
            <Typography sx={{ mt: 3, maxWidth: '38ch', color: '#EDEDEA' }}>{taglineText}</Typography>
          </Box>
        </Box>
      </Box>
    </Box>
  );
}
