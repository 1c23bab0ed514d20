import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { Logo } from '../ui/Logo';
import { Page } from '../ui/Page';
import { useDocumentTitle } from '../ui/useDocumentTitle';
import { ActionLink } from '../ui/ActionLink';
import { SampleEvent } from './SampleEvent';

const screens = (): Pick<ComponentProps<typeof ActionLink>, 'to' | 'icon' | 'label' | 'hint'>[] => [
  {
    to: '/demo/admin/overview',
    icon: 'calendar',
    label: t`Dashboard`,
    hint: t`Credits, figures and activity`,
  },
  { to: '/demo/admin/events', icon: 'qr', label: t`Events`, hint: t`Links, QR codes, deletion` },
  { to: '/demo/admin/upload', icon: 'upload', label: t`Upload`, hint: t`Try it with photos of your own` },
  { to: '/demo/admin/gallery', icon: 'grid', label: t`Gallery`, hint: t`Every photo of the sample event` },
];

/** The sample event, without the navigation bar, and the way to the demo's screens, which are documents of their own. */
export default function DemoPage() {
  useDocumentTitle(t`Demo`);
  return (
    <Page width={1040}>
      <Box
        component={Link}
        to="/"
        sx={{ display: 'inline-block', py: 2, color: 'inherit', textDecoration: 'none' }}
      >
        <Logo />
      </Box>
      <Box
        sx={{
          display: 'flex',
          flexDirection: { xs: 'column', md: 'row' },
          alignItems: { md: 'flex-end' },
          gap: 5,
          mt: 6,
          mb: 7,
        }}
      >
        <Box sx={{ flex: 1 }}>
          <Typography variant="h1">{t`The night at a glance`}</Typography>
          <Typography color="textSecondary" sx={{ mt: 2, maxWidth: '52ch' }}>
            {t`This is how an event looks while its photos are being processed. The numbers are samples.`}
          </Typography>
        </Box>
        <Button component={Link} to="/register" variant="contained" color="primary" size="large">
          {t`Start Managing Events`}
        </Button>
      </Box>
      <SampleEvent />
      <Typography variant="h2" sx={{ mt: 10, mb: 2 }}>
        {t`Click through it`}
      </Typography>
      <Typography color="textSecondary" sx={{ mb: 4, maxWidth: '60ch' }}>
        <Trans>
          The photographer’s screens as they are, with this event and two others. What you change or upload
          stays in your browser.
        </Trans>
      </Typography>
      <Card sx={{ p: 2, display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {screens().map((screen) => (
          <ActionLink key={screen.to} {...screen} reloadDocument />
        ))}
      </Card>
    </Page>
  );
}
