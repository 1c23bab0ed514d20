import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Icon } from '../ui/Icon';
import { room } from '../ui/theme/tokens';
import { PageSection, PageSectionContent, PageSectionTitle } from './PageSection';
import { illustrationUrl } from '../ui/illustrations/illustrations';

const Grid = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 10,
  marginTop: 48,
  [theme.breakpoints.up('md')]: { gridTemplateColumns: 'repeat(6, 1fr)', gap: 16 },
}));

const TextCard = styled(Card)(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'space-between',
  gap: 20,
  padding: 24,
  [theme.breakpoints.up('md')]: { gridColumn: 'span 2', minHeight: 212 },
}));

const ImageCardRoot = styled(Card)(({ theme }) => ({
  display: 'grid',
  [theme.breakpoints.up('md')]: {
    gridColumn: 'span 3',
    gridTemplateColumns: '1fr 1fr',
    minHeight: 248,
  },
}));

function CardText({ title, text }: { title: string; text: string }) {
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

function ImageCard({ image, title, text }: { image: ReactNode; title: string; text: string }) {
  return (
    <ImageCardRoot>
      {image}
      <Box sx={{ p: 6, alignSelf: 'end' }}>
        <CardText title={title} text={text} />
      </Box>
    </ImageCardRoot>
  );
}

const Figure = styled('span')(({ theme }) => ({ ...theme.typography.figure, fontSize: 30 }));

/** The features in five cards. */
export function Features() {
  return (
    <PageSection>
      <PageSectionContent>
        <PageSectionTitle>{t`Made for the pace of an event`}</PageSectionTitle>
        <Grid>
          <ImageCard
            title={t`Face search that stays careful`}
            text={t`Tuned so a stranger’s photo does not end up in somebody’s results.`}
            image={
              <Box
                component="img"
                src={illustrationUrl('dancefloor')}
                alt=""
                loading="lazy"
                width={600}
                height={400}
                sx={{ display: 'block', width: '100%', height: '100%', minHeight: 180, objectFit: 'cover' }}
              />
            }
          />
          <ImageCard
            title={t`One link, one code`}
            text={t`Print it, text it, put it on the screen. No app, no account.`}
            image={
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
                  // It is small, and without it the card has an empty box.
                  src={illustrationUrl('code')}
                  alt=""
                  width={132}
                  height={132}
                  sx={{ p: 2.5, borderRadius: '12px', backgroundColor: '#FFFFFF' }}
                />
              </Box>
            }
          />
          <TextCard>
            <Icon name="upload" size={24} />
            <CardText
              title={t`Bulk upload`}
              text={t`Three at a time on good networks, one by one on bad ones.`}
            />
          </TextCard>
          <TextCard>
            <Icon name="lock" size={24} />
            <CardText
              title={t`Private by design`}
              text={t`Selfies are never stored. Photos leave with the event.`}
            />
          </TextCard>
          <TextCard>
            <Figure>₹1</Figure>
            <CardText
              title={t`One rupee a photo`}
              text={t`₹100 free to begin. Your first recharge counts double.`}
            />
          </TextCard>
        </Grid>
      </PageSectionContent>
    </PageSection>
  );
}
