import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Icon } from '../../shared/components/Icon';
import { room } from '../../shared/theme/tokens';
import { Band, BandColumn, BandTitle } from './Band';
import { pathOf } from '../../shared/scenes/scenes';

const Grid = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 10,
  marginTop: 48,
  [theme.breakpoints.up('md')]: { gridTemplateColumns: 'repeat(6, 1fr)', gap: 16 },
}));

const Plain = styled(Card)(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'space-between',
  gap: 20,
  padding: 24,
  [theme.breakpoints.up('md')]: { gridColumn: 'span 2', minHeight: 212 },
}));

const Pictured = styled(Card)(({ theme }) => ({
  display: 'grid',
  [theme.breakpoints.up('md')]: {
    gridColumn: 'span 3',
    gridTemplateColumns: '1fr 1fr',
    minHeight: 248,
  },
}));

function Words({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <Typography variant="h3" sx={{ mb: 1.5, lineHeight: 1.2 }}>
        {title}
      </Typography>
      <Typography color="textSecondary" sx={{ fontSize: 15 }}>
        {text}
      </Typography>
    </div>
  );
}

function PictureCard({ picture, title, text }: { picture: ReactNode; title: string; text: string }) {
  return (
    <Pictured>
      {picture}
      <Box sx={{ p: 6, alignSelf: 'end' }}>
        <Words title={title} text={text} />
      </Box>
    </Pictured>
  );
}

const Figure = styled('span')(({ theme }) => ({ ...theme.typography.figure, fontSize: 30 }));

/** What the product does, in five cards. */
export function Features() {
  return (
    <Band>
      <BandColumn>
        <BandTitle>Made for the pace of an event</BandTitle>
        <Grid>
          <PictureCard
            title="Face search that stays careful"
            text="Tuned so a stranger’s photo does not end up in somebody’s results."
            picture={
              <Box
                component="img"
                src={pathOf('dancefloor')}
                alt=""
                loading="lazy"
                width={600}
                height={400}
                sx={{ display: 'block', width: '100%', height: '100%', minHeight: 180, objectFit: 'cover' }}
              />
            }
          />
          <PictureCard
            title="One link, one code"
            text="Print it, text it, put it on the screen. No app, no account."
            picture={
              <Box
                sx={{
                  display: 'grid',
                  placeItems: 'center',
                  minHeight: 220,
                  backgroundColor: room.ground,
                }}
              >
                <Box
                  component="img"
                  src={pathOf('code')}
                  alt=""
                  loading="lazy"
                  width={132}
                  height={132}
                  sx={{ p: 2.5, borderRadius: '12px', backgroundColor: '#FFFFFF' }}
                />
              </Box>
            }
          />
          <Plain>
            <Icon name="upload" size={24} />
            <Words title="Bulk upload" text="Three at a time on good networks, one by one on bad ones." />
          </Plain>
          <Plain>
            <Icon name="lock" size={24} />
            <Words title="Private by design" text="Selfies are never stored. Photos leave with the event." />
          </Plain>
          <Plain>
            <Figure>₹1</Figure>
            <Words title="One rupee a photo" text="₹100 free to begin. Your first recharge counts double." />
          </Plain>
        </Grid>
      </BandColumn>
    </Band>
  );
}
