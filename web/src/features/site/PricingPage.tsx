import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { Icon, type IconName } from '../../shared/components/Icon';
import { useDocumentTitle } from '../../shared/components/useDocumentTitle';
import { FullWidthMain, PageSection, PageSectionContent, PageSectionTitle } from './PageSection';
import { ClosingCallToAction } from './ClosingCallToAction';
import { Footer } from './Footer';

const features = [
  'AI-powered facial recognition',
  '1 rupee per photo upload',
  'Secure photo storage',
  'Easy photo sharing',
  'Event management dashboard',
];

const highlights: { icon: IconName; title: string; text: string }[] = [
  {
    icon: 'search',
    title: 'Advanced AI recognition',
    text: 'A selfie finds its face among thousands, and shows nobody rather than the wrong one.',
  },
  {
    icon: 'lock',
    title: 'Secure and private',
    text: 'Private links that nobody guesses, selfies that are never stored, photos that go with the event.',
  },
  {
    icon: 'calendar',
    title: 'Event management',
    text: 'Every event with its gallery, its link and its numbers in one place.',
  },
  {
    icon: 'share',
    title: 'Easy sharing',
    text: 'One link or one QR code. Guests need no app and no account.',
  },
  {
    icon: 'upload',
    title: 'Bulk upload',
    text: 'A whole card at once. What was sent before is never charged again.',
  },
  {
    icon: 'camera',
    title: 'Mobile optimized',
    text: 'The guest’s page is made for a phone in one hand, at a party.',
  },
];

const questions = [
  {
    question: 'How do credits work?',
    answer:
      'One credit is one rupee and pays for one photo upload. You begin with 100 credits for free. A photo that is already there, or that could not be read, costs nothing.',
  },
  {
    question: 'How do I add credits?',
    answer:
      'On your dashboard: enter an amount and pay by card or another method of the payment provider. Your first recharge gives double credits: 100 rupees become 200 credits.',
  },
  {
    question: 'Can I use my credits across events?',
    answer:
      'Yes. Credits belong to your account, not to an event, and they do not run out. There is no subscription.',
  },
  {
    question: 'How is my data kept safe?',
    answer:
      'Photos are shown through signed links that expire, passwords are stored as hashes, and the selfies of your guests are held in memory only while a search runs.',
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
  useDocumentTitle('Pricing');
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
              <Typography variant="hero" component="h1" sx={{ m: 0, maxWidth: '12ch' }}>
                One rupee a photo. No subscription.
              </Typography>
              <Typography color="textSecondary" sx={{ fontSize: 19, mt: 5, maxWidth: '40ch' }}>
                You pay for the photos you upload, whatever the number of guests, and the first hundred are
                free. Who uploads more can pay ₹999 once for the premium plan: unlimited events and photo
                uploads.
              </Typography>
            </div>
            <Card sx={{ p: { xs: 6, md: 8 } }}>
              <Price>
                <small>₹</small>1
              </Price>
              <Typography color="textSecondary" sx={{ mt: 2 }}>
                1 rupee per photo upload
              </Typography>
              <Ticks>
                {features.map((feature) => (
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
                Get Started
              </Button>
            </Card>
          </PageSectionContent>
        </PageSection>
        <PageSection>
          <PageSectionContent>
            <PageSectionTitle>What you get for it</PageSectionTitle>
            <Highlights>
              {highlights.map(({ icon, title, text }) => (
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
              <PageSectionTitle>Questions</PageSectionTitle>
              <Faq>
                {questions.map(({ question, answer }) => (
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
          title="Your first hundred photos are free"
          subtitle="100 credits the moment you register, no card needed."
          action="Get Your Free Credits"
        />
      </FullWidthMain>
      <Footer />
    </>
  );
}
