import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Icon } from '../ui/Icon';
import { type Illustration, illustrationUrl } from '../ui/illustrations/illustrations';

const figures = () => [
  { value: '247', label: t`photos` },
  { value: '89', label: t`faces` },
  { value: '85%', label: t`processed` },
  { value: '12', label: t`found` },
];

const photos: Illustration[] = [
  'sunset',
  'arch',
  'garden',
  'confetti',
  'beach',
  'lights',
  'embrace',
  'cake',
  'sparklers',
  'candles',
  'lanterns',
  'toast',
  'city',
  'dancefloor',
  'portrait',
  'singer',
  'arch',
  'garden',
];

const Figures = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  margin: 0,
  borderBlock: `1px solid ${theme.vars.palette.divider}`,
  '& > div': {
    display: 'flex',
    flexDirection: 'column-reverse',
    justifyContent: 'flex-end',
    padding: '14px 16px',
    borderLeft: `1px solid ${theme.vars.palette.divider}`,
  },
  '& > div:nth-of-type(odd)': { borderLeft: 0 },
  '& > div:nth-of-type(n + 3)': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& dt': { marginTop: 6, fontSize: 13, color: theme.vars.palette.text.disabled },
  '& dd': { ...theme.typography.figure, margin: 0, fontSize: 32 },
  [theme.breakpoints.up('sm')]: {
    gridTemplateColumns: 'repeat(4, 1fr)',
    '& > div': { padding: '16px 20px' },
    '& > div:nth-of-type(3)': { borderLeft: `1px solid ${theme.vars.palette.divider}` },
    '& > div:nth-of-type(n + 3)': { borderTop: 0 },
  },
}));

const Photos = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(4, 1fr)',
  gap: 3,
  padding: 3,
  '& img': {
    display: 'block',
    width: '100%',
    height: 'auto',
    aspectRatio: '1',
    objectFit: 'cover',
    borderRadius: 3,
  },
  '& img:nth-of-type(n + 17)': { display: 'none' },
  [theme.breakpoints.up('sm')]: {
    gridTemplateColumns: 'repeat(6, 1fr)',
    '& img:nth-of-type(n + 17)': { display: 'block' },
  },
}));

/** An event as the photographer sees it, with static sample data. */
export function SampleEvent() {
  return (
    <Card
      component="figure"
      aria-label={t`A sample event`}
      sx={(theme) => ({ m: 0, border: 0, boxShadow: theme.vars.palette.shadow.menu })}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, p: '18px 20px' }}>
        <Box
          component="img"
          src={illustrationUrl('sunset')}
          alt=""
          loading="lazy"
          width={40}
          height={40}
          sx={{ borderRadius: '10px', objectFit: 'cover' }}
        />
        <Box sx={{ flex: 1 }}>
          <Box sx={{ fontWeight: 600 }}>{t`Sample event`}</Box>
          <Typography variant="caption" component="div" color="textDisabled">
            {t`Demo data`}
          </Typography>
        </Box>
        <Chip
          icon={<Icon name="check" size={16} />}
          label={t`Ready to share`}
          sx={(theme) => ({
            pl: 2.5,
            color: theme.vars.palette.success.main,
            backgroundColor: theme.vars.palette.soft.success,
            '& .MuiChip-icon': { m: 0, color: 'inherit' },
            '& .MuiChip-label': { pl: 1.5 },
          })}
        />
      </Box>
      <Figures>
        {figures().map(({ value, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </Figures>
      <Photos aria-hidden="true">
        {photos.map((illustration, index) => (
          <img
            key={index}
            src={illustrationUrl(illustration)}
            alt=""
            width={110}
            height={110}
            loading="lazy"
          />
        ))}
      </Photos>
    </Card>
  );
}
