import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Link, useLocation } from 'react-router';
import { useDocumentTitle } from '../ui/useDocumentTitle';
import { isEventMissing } from '../platform/missingEvent';
import { FullWidthMain, PageSection, PageSectionContent, PageSectionTitle } from './PageSection';
import { ClosingCallToAction } from './ClosingCallToAction';
import { Features } from './Features';
import { Footer } from './Footer';
import { Hero } from './Hero';
import { MissingEventNotice } from './MissingEventNotice';
import { PhoneMockups } from './PhoneMockups';
import { SampleEvent } from './SampleEvent';
import { Steps } from './Steps';

const Demo = styled(PageSectionContent)(({ theme }) => ({
  display: 'grid',
  alignItems: 'center',
  gap: 40,
  [theme.breakpoints.up('md')]: { gridTemplateColumns: '5fr 7fr', gap: 64 },
}));

const Benefits = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 24,
  marginTop: 40,
  [theme.breakpoints.up('md')]: { gridTemplateColumns: 'repeat(3, 1fr)', gap: 40 },
}));

const benefits = () => [
  {
    title: t`No more “can you send me mine?”`,
    text: t`Guests help themselves, the same evening.`,
  },
  { title: t`One place for every event`, text: t`Credits, galleries and links stay together.` },
  { title: t`Originals in every hand`, text: t`Guests leave with your files, not with screenshots.` },
];

export default function LandingPage() {
  useDocumentTitle(t`Event photos that find their guests`);
  // The state of the router is untyped.
  const { state } = useLocation() as { state: unknown };
  return (
    <>
      <FullWidthMain id="main">
        {isEventMissing(state) && <MissingEventNotice />}
        <Hero />
        <Steps />
        <PhoneMockups />
        <Features />
        <PageSection data-surface>
          <Demo>
            <div>
              <PageSectionTitle>{t`The night at a glance`}</PageSectionTitle>
              <Typography color="textSecondary" sx={{ fontSize: 18, maxWidth: '38ch', mt: 4.5, mb: 7 }}>
                {t`How far the upload is, how many faces are known, and whether it is ready to share.`}
              </Typography>
              <Button component={Link} to="/register" variant="contained" color="primary" size="large">
                {t`Start Managing Events`}
              </Button>
            </div>
            <Box sx={{ minWidth: 0 }}>
              <SampleEvent />
            </Box>
          </Demo>
        </PageSection>
        <PageSection>
          <PageSectionContent>
            <PageSectionTitle>{t`After the last song`}</PageSectionTitle>
            <Benefits>
              {benefits().map(({ title, text }) => (
                <div key={title}>
                  <Typography variant="h3" sx={{ mb: 2 }}>
                    {title}
                  </Typography>
                  <Typography color="textSecondary">{text}</Typography>
                </div>
              ))}
            </Benefits>
          </PageSectionContent>
        </PageSection>
        <ClosingCallToAction
          title={t`Start with 100 photos on us`}
          subtitle={t`No subscription. One rupee a photo after that.`}
          action={t`Get Started Now`}
        />
      </FullWidthMain>
      <Footer />
    </>
  );
}
