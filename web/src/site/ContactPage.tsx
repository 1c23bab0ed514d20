import { t } from '@lingui/core/macro';
import { siteName } from '../platform/siteName';
import { Trans } from '@lingui/react/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { type SubmitEvent, useState } from 'react';
import { useDocumentTitle } from '../ui/useDocumentTitle';
import { useSnackbar } from '../ui/useSnackbar';
import { TextField } from '../ui/TextField';
import { FullWidthMain, PageSection, PageSectionContent } from './PageSection';
import { type ContactMessage, emptyMessage, limits, sendMessage } from './contact';
import { Footer } from './Footer';
import { defaultSiteInfo, type Network, useSiteInfo } from './siteInfo';
import { SupportEmail } from './SupportEmail';

/** Names of companies, which are the same in every language. */
const networks: { network: Network; label: string }[] = [
  { network: 'facebook', label: 'Facebook' },
  { network: 'instagram', label: 'Instagram' },
  { network: 'x', label: 'X' },
  { network: 'linkedin', label: 'LinkedIn' },
];

function SocialLinks() {
  const social = (useSiteInfo() ?? defaultSiteInfo).social;
  return (
    <Box
      component="ul"
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 6, m: 0, p: 0, listStyle: 'none' }}
    >
      {networks.map(({ network, label }) => (
        <li key={network}>
          <Link
            href={social[network]}
            target="_blank"
            rel="noopener noreferrer"
            sx={{ display: 'inline-flex', alignItems: 'center', minHeight: 44 }}
          >
            {label}
          </Link>
        </li>
      ))}
    </Box>
  );
}

function ContactForm() {
  const show = useSnackbar();
  const [message, setMessage] = useState(emptyMessage);
  const [sending, setSending] = useState(false);

  const field = (name: keyof ContactMessage) => ({
    name,
    required: true,
    value: message[name],
    onChange: ({ target }: { target: { value: string } }) => setMessage({ ...message, [name]: target.value }),
    inputProps: { maxLength: limits[name] },
  });

  const send = async () => {
    setSending(true);
    const { sent, text } = await sendMessage(message);
    setSending(false);
    if (sent) setMessage(emptyMessage);
    show({ tone: sent ? 'success' : 'error', text });
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // Native validation accepts whitespace, which counts as empty here.
    const complete = Object.values(message).every((value: string) => value.trim() !== '');
    if (complete && !sending) void send();
  };

  return (
    <Box
      component="form"
      onSubmit={submit}
      sx={{ display: 'grid', gap: 4.5 }}
      aria-labelledby="send-us-a-message"
    >
      <Typography variant="h2" id="send-us-a-message">
        {t`Send us a Message`}
      </Typography>
      <TextField label={t`Name`} autoComplete="name" {...field('name')} />
      <TextField label={t`Email`} type="email" autoComplete="email" {...field('email')} />
      <TextField label={t`Subject`} {...field('subject')} />
      <TextField label={t`Message`} multiline rows={4} {...field('message')} />
      <Button type="submit" variant="contained" color="primary" size="large" disabled={sending}>
        {sending ? t`Sending...` : t`Send Message`}
      </Button>
    </Box>
  );
}

export default function ContactPage() {
  useDocumentTitle(t`Contact`);
  return (
    <>
      <FullWidthMain id="main">
        <PageSection>
          <PageSectionContent
            sx={{
              display: 'grid',
              gridTemplateColumns: { md: '5fr 7fr' },
              gap: { xs: 12, md: 16 },
              alignItems: 'start',
            }}
          >
            <div>
              <Typography variant="hero" component="h1" sx={{ m: 0 }}>
                {t`Talk to us`}
              </Typography>
              <Typography color="textSecondary" sx={{ fontSize: 18, mt: 5, maxWidth: '42ch' }}>
                <Trans>
                  {siteName} is a service for event photographers and their guests. Photographers upload the
                  photos of an event and share one link; every guest finds the photos they are in with a
                  selfie, without an account.
                </Trans>
              </Typography>
              <Typography variant="h3" component="h2" sx={{ mt: 10, mb: 1 }}>
                {t`Support`}
              </Typography>
              <Typography color="textSecondary" component="div">
                <SupportEmail />
              </Typography>
              <Typography variant="h3" component="h2" sx={{ mt: 8, mb: 1 }}>
                {t`Elsewhere`}
              </Typography>
              <SocialLinks />
            </div>
            <Card sx={{ p: { xs: 5, md: 8 } }}>
              <ContactForm />
            </Card>
          </PageSectionContent>
        </PageSection>
      </FullWidthMain>
      <Footer />
    </>
  );
}
