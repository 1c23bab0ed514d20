import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { room } from '../ui/theme/tokens';
import { CallToActionButton } from './CallToActionButton';

const Root = styled('section')(({ theme }) => ({
  position: 'relative',
  overflow: 'hidden',
  padding: '88px 20px 104px',
  textAlign: 'center',
  color: room.text,
  backgroundColor: room.ground,
  '& > *': { position: 'relative', zIndex: 2 },
  '&::after': {
    content: '""',
    position: 'absolute',
    inset: 'auto -10% -1px',
    height: 200,
    background:
      'radial-gradient(52% 100% at 50% 100%, rgb(255 127 71 / .5), rgb(255 127 71 / .12) 55%, transparent 76%)',
  },
  '&::before': {
    content: '""',
    position: 'absolute',
    inset: 'auto 0 0',
    zIndex: 1,
    height: 2,
    background: `linear-gradient(90deg, transparent, ${room.lit} 30%, #ffd2b5 50%, ${room.lit} 70%, transparent)`,
  },
  [theme.breakpoints.up('md')]: { padding: '120px 32px 132px' },
}));

/** The call to action at the end of a page. */
export function ClosingCallToAction({
  title,
  subtitle,
  action,
}: {
  title: string;
  subtitle: string;
  action: string;
}) {
  return (
    <Root>
      <Typography variant="hero" component="h2" sx={{ maxWidth: '14ch', mx: 'auto', mt: 0, mb: 4 }}>
        {title}
      </Typography>
      <Typography sx={{ color: room.text2, mb: 8 }}>{subtitle}</Typography>
      <CallToActionButton to="/register">{action}</CallToActionButton>
    </Root>
  );
}
