import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { fonts, litShadow, room } from '../ui/theme/tokens';
import { CallToActionButton } from './CallToActionButton';
import { type Illustration, illustrationUrl } from '../ui/illustrations/illustrations';

/** The contact sheet, row by row; frames marked with * are highlighted. */
// eslint-disable-next-line lingui/no-unlocalized-strings -- names of illustrations
const frames = `
  sunset cake lanterns garden embrace* candles dancefloor*
  arch singer city candles beach portrait* sunset
  candles toast confetti sparklers* lanterns arch garden*
  lights cake garden lights candles lights* cake
  toast candles beach confetti* arch lanterns city*
  arch sunset lights beach* city lanterns* singer
  cake city cake arch sparklers* toast beach
  arch garden singer candles lights embrace* confetti
  lanterns city confetti garden lanterns toast singer`
  .trim()
  .split(/\s+/)
  .map((word) => ({ illustration: word.replace('*', '') as Illustration, highlighted: word.endsWith('*') }));

const Root = styled('section')({
  position: 'relative',
  overflow: 'hidden',
  paddingTop: 64,
  color: room.text,
  backgroundColor: room.ground,
});

const Content = styled('div')(({ theme }) => ({
  position: 'relative',
  zIndex: 2,
  maxWidth: 1280,
  margin: '0 auto',
  padding: '36px 20px 0',
  [theme.breakpoints.up('md')]: { height: 672, padding: '92px 32px 0' },
}));

const ContactSheet = styled('div')(({ theme }) => ({
  position: 'relative',
  zIndex: 1,
  display: 'grid',
  gridTemplateColumns: 'repeat(6, 1fr)',
  gap: 4,
  margin: '36px -24px 0',
  '& img': {
    display: 'block',
    width: '100%',
    aspectRatio: '1',
    objectFit: 'cover',
    borderRadius: 3,
    backgroundColor: '#1A1A19',
    filter: 'saturate(.1) brightness(.42)',
  },
  '& img[data-lit=true]': { filter: 'none', boxShadow: litShadow, zIndex: 1 },
  '& img:nth-of-type(n + 37)': { display: 'none' },
  [theme.breakpoints.up('md')]: {
    position: 'absolute',
    top: 70,
    left: 'max(526px, calc(50% - 90px))',
    width: 780,
    gridTemplateColumns: 'repeat(7, 1fr)',
    gap: 6,
    margin: 0,
    maskImage: 'linear-gradient(90deg, transparent 0, rgb(0 0 0 / .25) 22%, #000 46%)',
    '& img:nth-of-type(n + 37)': { display: 'block' },
  },
}));

const FoundCard = styled('div')(({ theme }) => ({
  position: 'absolute',
  zIndex: 3,
  left: '50%',
  bottom: 28,
  display: 'flex',
  alignItems: 'center',
  gap: 14,
  padding: '10px 22px 10px 10px',
  borderRadius: 22,
  whiteSpace: 'nowrap',
  backgroundColor: '#171716',
  boxShadow: '0 0 0 1px #383836, 0 20px 50px rgb(0 0 0 / .6)',
  transform: 'translateX(-50%)',
  '& img': {
    display: 'block',
    width: 60,
    height: 60,
    borderRadius: '50%',
    objectFit: 'cover',
    objectPosition: '50% 30%',
    boxShadow: `0 0 0 2px #171716, 0 0 0 4px ${room.lit}`,
  },
  '& b': {
    display: 'block',
    fontFamily: fonts.display,
    fontWeight: 600,
    fontSize: 24,
    lineHeight: 1.1,
    letterSpacing: '-0.02em',
  },
  '& span': { fontSize: 14, color: '#B6B6B1' },
  [theme.breakpoints.up('md')]: {
    left: 'auto',
    right: 'max(40px, calc(50% - 600px))',
    bottom: 44,
    transform: 'none',
  },
}));

/** The hero: a dark contact sheet with the photos of one guest highlighted. */
export function Hero() {
  return (
    <Root>
      <Content>
        <Box sx={{ maxWidth: 600 }}>
          <Typography variant="hero" component="h1" sx={{ m: 0 }}>
            {t`Professional Photo Management with AI-Powered Face Recognition`}
          </Typography>
          <Typography
            sx={{
              fontSize: { xs: 17, md: 19 },
              color: room.text2,
              mt: { xs: 4.5, md: 6 },
              mb: { xs: 6, md: 8 },
              maxWidth: '40ch',
            }}
          >
            {t`Upload the night once. Every guest finds their own photos with a selfie, before the music stops.`}
          </Typography>
          <Box
            sx={{
              display: 'flex',
              flexDirection: { xs: 'column', sm: 'row' },
              gap: 3,
            }}
          >
            <CallToActionButton to="/register">{t`Get Started Now`}</CallToActionButton>
            <Button
              component={Link}
              to="/register"
              variant="outlined"
              size="large"
              sx={{
                color: '#FFFFFF',
                borderColor: '#85857F',
                backgroundColor: 'rgb(14 14 14 / .5)',
                '&:hover': { borderColor: '#FFFFFF', backgroundColor: '#1E1E1D' },
                '&.Mui-focusVisible': { outlineColor: '#FFFFFF' },
              }}
            >
              {t`Try Demo Dashboard`}
            </Button>
          </Box>
        </Box>
      </Content>
      <ContactSheet aria-hidden="true">
        {frames.map(({ illustration, highlighted }, index) => (
          <img
            key={index}
            src={illustrationUrl(illustration)}
            alt=""
            width={106}
            height={106}
            data-lit={highlighted}
            decoding="async"
          />
        ))}
      </ContactSheet>
      <FoundCard aria-hidden="true">
        <img src={illustrationUrl('selfie')} alt="" width={60} height={60} />
        <div>
          <b>{t`12 found`}</b>
          <span>{t`in 247 photos`}</span>
        </div>
      </FoundCard>
    </Root>
  );
}
