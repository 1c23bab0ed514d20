import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { useBarTone } from '../../ui/barTone';
import { Page, PageHeader } from '../../ui/Page';
import { type SetupSettings, settingsQuery } from './setup';
import { HowToSet, SettingLines } from './HowToSet';
import { MailTest } from './MailTest';

function SettingSection({ title, value, children }: { title: string; value: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <Card
      component="section"
      aria-labelledby={titleId}
      sx={{ p: { xs: 4, sm: '24px 28px' }, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 3 }}
    >
      <Box>
        <Typography variant="h3" component="h2" id={titleId}>
          {title}
        </Typography>
        <Typography sx={{ mt: 1, fontWeight: 500, overflowWrap: 'anywhere' }}>{value}</Typography>
      </Box>
      {children}
    </Card>
  );
}

function PublicUrl({ url }: { url: string }) {
  const here = window.location.origin;
  return (
    <SettingSection title={t`Public URL`} value={url}>
      <Typography color="textSecondary">
        {t`Links, mails and QR codes lead there. Guests have to reach it from their phones.`}
      </Typography>
      {here === url ? (
        <HowToSet
          label={t`Change the public URL`}
          settings={[{ name: 'public_url', value: 'https://photos.example.com' }]}
        />
      ) : (
        <>
          <Alert tone="warning">
            {t`You have opened this page at ${{ here }}. If that is the right address, set it:`}
          </Alert>
          <SettingLines settings={[{ name: 'public_url', value: here }]} />
        </>
      )}
    </SettingSection>
  );
}

function Mail({ mail }: { mail: SetupSettings['mail'] }) {
  const { place, from } = mail;
  return (
    <SettingSection title={t`Mail`} value={place}>
      <Typography color="textSecondary">
        {mail.reaches_people
          ? t`Mails go out through this mail server, from ${{ from }}.`
          : t`Mails are not sent: they are written to this folder. Photographers who register need a mail server, and so does whoever forgets a password.`}
      </Typography>
      <MailTest />
      <HowToSet
        label={mail.reaches_people ? t`Change the mail server` : t`Set a mail server`}
        settings={[
          { name: 'mail_url', value: 'smtp://user:password@mail.example.com:587' },
          { name: 'mail_from', value: 'photos@example.com' },
        ]}
      />
    </SettingSection>
  );
}

function Retention({ days, longest }: { days: number; longest: number }) {
  return (
    <SettingSection
      title={t`Retention`}
      value={days === 0 ? t`For ever` : plural(days, { one: '# day', other: '# days' })}
    >
      <Typography color="textSecondary">
        {days === 0
          ? t`Photos and faces are kept until their photographer deletes them.`
          : t`Photos and faces are removed so long after the date of their event or its last upload, whichever is later. A mail warns the photographer 7 days before.`}
      </Typography>
      {longest !== days && (
        <Typography color="textSecondary">
          {longest === 0
            ? t`A photographer can choose another time for an event, also for ever.`
            : t`A photographer can choose another time for an event, ${plural(longest, { one: '# day', other: '# days' })} at most.`}
        </Typography>
      )}
      <HowToSet
        label={t`Change the retention`}
        settings={[
          { name: 'retention_days', value: days === 0 ? 30 : 90 },
          { name: 'longest_retention_days', value: 365 },
        ]}
      />
    </SettingSection>
  );
}

/** What an administrator should look at before anybody else comes. All of it can be left as it is. */
export function SettingsStep() {
  useBarTone('solid');
  const settings = useQuery(settingsQuery());
  const top = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone.
  useEffect(() => top.current?.focus(), []);
  return (
    <Page width={720}>
      <Box ref={top} tabIndex={-1} sx={{ outline: 'none !important' }}>
        <PageHeader
          title={t`Before anybody comes`}
          subtitle={t`Your account is made. These are settings of the service; leave what is right.`}
        />
      </Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
        {settings.isPending && (
          <Typography variant="body2" color="textSecondary" role="status">
            {t`Loading...`}
          </Typography>
        )}
        {settings.isError && (
          <Alert tone="error">{errorMessage(settings.error, t`The settings could not be loaded.`)}</Alert>
        )}
        {settings.data !== undefined && (
          <>
            <PublicUrl url={settings.data.public_url} />
            <Mail mail={settings.data.mail} />
            <Retention days={settings.data.retention_days} longest={settings.data.longest_retention_days} />
          </>
        )}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, mt: 3 }}>
          <Button
            component={Link}
            to="/admin/event-registration"
            variant="contained"
            color="primary"
            size="large"
          >
            {t`Create Your First Event`}
          </Button>
          <Button component={Link} to="/admin/overview" variant="outlined" size="large">
            {t`Go to Dashboard`}
          </Button>
        </Box>
      </Box>
    </Page>
  );
}
