import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { Icon, type IconName } from '../ui/Icon';
import { useDocumentTitle } from '../ui/useDocumentTitle';
import { FullWidthMain, PageSection, PageSectionContent, PageSectionTitle } from './PageSection';
import { ClosingCallToAction } from './ClosingCallToAction';
import { Footer } from './Footer';

const features = () => [
  t`AI-powered facial recognition`,
  t`1 rupee per photo upload`,
  t`Secure photo storage`,
  t`Easy photo sharing`,
  t`Event management dashboard`,
];

const highlights = (): { icon: IconName; title: string; text: string }[] => [
  {
    icon: 'search',
    title: t`Advanced AI recognition`,
    text: t`A selfie finds its face among thousands, and shows nobody rather than the wrong one.`,
  },
  {
    icon: 'lock',
    title: t`Secure and private`,
    text: t`Private links that nobody guesses, selfies that are never stored, photos that go with the event.`,
  },
  {
    icon: 'calendar',
    title: t`Event management`,
    text: t`Every event with its gallery, its link and its numbers in one place.`,
  },
  {
    icon: 'share',
    title: t`Easy sharing`,
    text: t`One link or one QR code. Guests need no app and no account.`,
  },
  {
    icon: 'upload',
    title: t`Bulk upload`,
    text: t`A whole card at once. What was sent before is never charged again.`,
  },
  {
    icon: 'camera',
    title: t`Mobile optimized`,
    text: t`The guest’s page is made for a phone in one hand, at a party.`,
  },
];

const questions = () => [
  {
    question: t`How do credits work?`,
    answer: t`One credit is one rupee and pays for one photo upload. You begin with 100 credits for free. A photo that is already there, or that could not be read, costs nothing.`,
  },
  {
    question: t`How do I add credits?`,
    answer: t`On your dashboard: enter an amount and pay by card or another method of the payment provider. Your first recharge gives double credits: 100 rupees become 200 credits.`,
  },
  {
    question: t`Can I use my credits across events?`,
    answer: t`Yes. Credits belong to your account, not to an event, and they do not run out. There is no subscription.`,
  },
  {
    question: t`How is my data kept safe?`,
    answer: t`Photos are shown through signed links that expire, passwords are stored as hashes, and the selfies of your guests are held in memory only while a search runs.`,
  },
];

const Price = styled('p')(({ theme }) => ({
  ...theme.typography.figure,
  fontSize: 64,
  margin: 0,
  '& small': { fontSize: 44, marginRight: 3, color: theme.vars.palette.text.disabled },
}));

const Ticks = styled('ul')(({ theme }) => ({
  display: 'grid',
  gap: 12,
  margin: '24px 0 28px',
  padding: 0,
  listStyle: 'none',
  '& li': { display: 'flex', gap: 10 },
  '& svg': { marginTop: 2, color: theme.vars.palette.success.main },
}));

const Highlights = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 28,
  marginTop: 40,
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: '1fr 1fr' },
  [theme.breakpoints.up('md')]: { gridTemplateColumns: 'repeat(3, 1fr)', gap: 40 },
}));

const Faq = styled('div')(({ theme }) => ({
  marginTop: 32,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& details': { borderBottom: `1px solid ${theme.vars.palette.divider}` },
  '& summary': {
    ...theme.typography.h3,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: 16,
    minHeight: 64,
    cursor: 'pointer',
    listStyle: 'none',
  },
  '& summary::-webkit-details-marker': { display: 'none' },
  '& [open] summary svg': { transform: 'rotate(180deg)' },
  '& p': {
    margin: '0 0 24px',
    maxWidth: '64ch',
    color: theme.vars.palette.text.secondary,
  },
}));

export default function PricingPage() {
  useDocumentTitle(t`Pricing`);
  return (
    <>
      <FullWidthMain id="main">
        <PageSection data-surface>
          <PageSectionContent
            sx={{
              display: 'grid',
              gridTemplateColumns: { md: '7fr 5fr' },
              gap: { xs: 10, md: 16 },
              alignItems: 'center',
            }}
          >
            <div>
              <Typography
                variant="hero"
                component="h1"
                sx={{ m: 0, maxWidth: 'calc(12ch / var(--heading-scale, 1))' }}
              >
                {t`One rupee a photo. No subscription.`}
              </Typography>
              <Typography color="textSecondary" sx={{ fontSize: 19, mt: 5, maxWidth: '40ch' }}>
                <Trans>
                  You pay for the photos you upload, whatever the number of guests, and the first hundred are
                  free. Who uploads more can pay ₹999 once for the premium plan: unlimited events and photo
                  uploads.
                </Trans>
              </Typography>
            </div>
            <Card sx={{ p: { xs: 6, md: 8 } }}>
              <Price>
                <small>₹</small>1
              </Price>
              <Typography color="textSecondary" sx={{ mt: 2 }}>
                {t`1 rupee per photo upload`}
              </Typography>
              <Ticks>
                {features().map((feature) => (
                  <li key={feature}>
                    <Icon name="check" />
                    {feature}
                  </li>
                ))}
              </Ticks>
              <Button
                component={Link}
                to="/register"
                variant="contained"
                color="primary"
                size="large"
                fullWidth
              >
                {t`Get Started`}
              </Button>
            </Card>
          </PageSectionContent>
        </PageSection>
        <PageSection>
          <PageSectionContent>
            <PageSectionTitle>{t`What you get for it`}</PageSectionTitle>
            <Highlights>
              {highlights().map(({ icon, title, text }) => (
                <div key={title}>
                  <Icon name={icon} size={24} />
                  <Typography variant="h3" sx={{ mt: 4, mb: 1.5 }}>
                    {title}
                  </Typography>
                  <Typography color="textSecondary">{text}</Typography>
                </div>
              ))}
            </Highlights>
          </PageSectionContent>
        </PageSection>
        <PageSection data-joined>
          <PageSectionContent>
            <Box sx={{ maxWidth: 820 }}>
              <PageSectionTitle>{t`Questions`}</PageSectionTitle>
              <Faq>
                {questions().map(({ question, answer }) => (
                  <details key={question}>
                    <summary>
                      {question}
                      <Icon name="chevronDown" />
                    </summary>
                    <p>{answer}</p>
                  </details>
                ))}
              </Faq>
            </Box>
          </PageSectionContent>
        </PageSection>
        <ClosingCallToAction
          title={t`Your first hundred photos are free`}
          subtitle={t`100 credits the moment you register, no card needed.`}
          action={t`Get Your Free Credits`}
        />
      </FullWidthMain>
      <Footer />
    </>
  );
}
