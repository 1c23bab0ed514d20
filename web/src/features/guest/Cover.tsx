import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Sky } from '../../shared/components/Sky';
import { formatLongDate } from '../../shared/formats';

const Backdrop = styled('div')({
  position: 'absolute',
  inset: 0,
  '&::after': {
    content: '""',
    position: 'absolute',
    inset: 0,
    background: 'linear-gradient(rgb(7 12 20 / .34), transparent 26%)',
  },
});

/** Names can have 200 characters; long ones get a smaller font, so that the sky stays visible. */
function nameSize(name: string): object | undefined {
  if (name.length > 80) return { fontSize: { xs: 26, md: 40 }, lineHeight: 1.06 };
  if (name.length > 34) return { fontSize: { xs: 36, md: 60 }, lineHeight: 1 };
  return undefined;
}

const longDescription = 140;

function Description({ text }: { text: string }) {
  const long = text.length > longDescription;
  const [open, setOpen] = useState(!long);
  return (
    <Box sx={{ mt: 3 }}>
      <Typography
        variant="body2"
        sx={{
          fontSize: 15,
          maxWidth: '60ch',
          whiteSpace: 'pre-line',
          overflowWrap: 'anywhere',
          ...(!open && {
            display: '-webkit-box',
            WebkitBoxOrient: 'vertical',
            WebkitLineClamp: '2',
            overflow: 'hidden',
          }),
        }}
      >
        {text}
      </Typography>
      {long && (
        <Button
          size="small"
          color="inherit"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          sx={{ ml: -3, minHeight: 44 }}
        >
          {open ? 'Show less' : 'Read more'}
        </Button>
      )}
    </Box>
  );
}

/** The event's generated sky with its name, date and description. */
export function Cover({
  slug,
  name,
  date,
  description,
}: {
  slug: string;
  name: string;
  date: string;
  description: string | null;
}) {
  return (
    <>
      <Backdrop>
        <Sky slug={slug} eager />
      </Backdrop>
      <Box
        sx={{
          position: 'relative',
          px: { xs: 5, md: 14 },
          pt: 22,
          pb: { xs: '46px', md: 14 },
          pr: { md: '84px' },
          textShadow: '0 1px 16px rgb(10 6 4 / .55)',
          // The scrim keeps a contrast of 4.5 for white text on the brightest of the six palettes.
          '&::before': {
            content: '""',
            position: 'absolute',
            inset: 0,
            zIndex: -1,
            background: 'linear-gradient(transparent, rgb(10 6 4 / .6) 88px, rgb(10 6 4 / .62))',
          },
          isolation: 'isolate',
        }}
      >
        <Typography sx={{ fontSize: 15, fontWeight: 500, mb: 2.5 }}>{formatLongDate(date)}</Typography>
        <Typography variant="cover" component="h1" sx={{ overflowWrap: 'anywhere', m: 0, ...nameSize(name) }}>
          {name}
        </Typography>
        {description !== null && description !== '' && <Description text={description} />}
      </Box>
    </>
  );
}
