import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { Credits, Event } from '../../platform/api/types';
import { ActionLink } from '../../ui/ActionLink';
import { Alert } from '../../ui/Alert';
import { Page, PageHeader } from '../../ui/Page';
import { StatCard } from '../../ui/StatCard';
import { useSnackbar } from '../../ui/useSnackbar';
import { creditsQuery } from '../shared/credits/credits';
import { eventQuery, indexingPause, newestEventQuery, useEventList } from '../shared/events/events';
import { formatAmount, formatRupees } from '../../platform/amounts';
import { formatCount } from '../../platform/formats';
import { eventScreenAddress } from '../shared/events/eventScreens';
import { useSelectedEvent } from '../../platform/session/selection';
import { useSession } from '../../platform/session/session';
import { ActivityCard } from './ActivityCard';
import { RecentlyDeleted } from './RecentlyDeleted';
import { RenewalNote } from './RenewalNote';
import { type Dashboard, dashboardQuery } from './analytics';

const lowCreditThreshold = 20;

/** The greeting of the hour, by name if there is one. */
function greetingAt(hour: number, name: string): string {
  if (hour < 5) return name === '' ? t`Good night` : t`Good night, ${name}`;
  if (hour < 12) return name === '' ? t`Good morning` : t`Good morning, ${name}`;
  if (hour < 18) return name === '' ? t`Good afternoon` : t`Good afternoon, ${name}`;
  return name === '' ? t`Good evening` : t`Good evening, ${name}`;
}

function creditsCaption(credits: number, premium: boolean): string {
  if (premium) return t`Uploads are free with Premium`;
  if (credits < lowCreditThreshold) return t`Add credits to keep uploading`;
  return plural(
    { photos: Math.floor(credits) },
    { one: 'Enough for # photos', other: 'Enough for # photos' },
  );
}

function indexingText(event: Event | undefined): string {
  if (event === undefined || event.indexing.total === 0) return t`Your events, photos and credits.`;
  const indexed = formatCount(event.indexing.indexed);
  const total = formatCount(event.indexing.total);
  return t`${{ name: event.name }}: ${indexed} of ${total} photos searchable.`;
}

function uploadHint(name: string | undefined): string {
  if (name === undefined) return t`Choose an event first`;
  return t({ comment: 'the event that photos are uploaded to', message: `To ${name}` });
}

function AccountSummary({
  dashboard,
  credits,
  premium,
}: {
  premium: boolean;
  dashboard: Dashboard | undefined;
  credits: Credits | undefined;
}) {
  const rupees = (amount: number | undefined) => (amount === undefined ? '–' : formatRupees(amount));
  const count = (value: number | undefined) => (value === undefined ? '–' : formatCount(value));
  const lines: [label: string, value: string, note?: string][] = [
    [t`Available credits`, rupees(credits?.credits)],
    [t`Total earned`, rupees(credits?.total_credits_earned), t`Credits given or bought, not income`],
    [
      t`Total spent`,
      rupees(credits?.total_credits_spent),
      premium ? t`Credits for uploads; the premium plan was paid beside them, once` : t`Credits for uploads`,
    ],
    [t`Total events`, count(dashboard?.totalEvents)],
    [t`Active events`, count(dashboard?.activeEvents)],
    [t`Total photos`, count(dashboard?.totalPhotos)],
  ];
  return (
    <Card component="section" aria-labelledby="summary-title" sx={{ p: 6 }}>
      <Typography variant="h3" component="h2" id="summary-title">
        {t`Account Summary`}
      </Typography>
      <Box component="dl" sx={{ m: 0, mt: 2.5, fontSize: 14 }}>
        {lines.map(([label, value, note]) => (
          <Box
            key={label}
            sx={{
              display: 'flex',
              justifyContent: 'space-between',
              py: 2.25,
              '& + &': { borderTop: 1, borderColor: 'divider' },
            }}
          >
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {label}
              {note !== undefined && (
                <Typography component="span" variant="caption" color="textDisabled" sx={{ display: 'block' }}>
                  {note}
                </Typography>
              )}
            </Box>
            <Box component="dd" sx={{ m: 0, fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </Box>
          </Box>
        ))}
      </Box>
      <Button
        component={Link}
        to="/admin/payments"
        variant="outlined"
        size="small"
        fullWidth
        sx={{ mt: 3.5 }}
      >
        {t`Payments and receipts`}
      </Button>
    </Card>
  );
}

/** The dashboard. `upgrade` and `addCredits` are slots for the payments feature. */
export function OverviewPage({ upgrade, addCredits }: { upgrade: ReactNode; addCredits: ReactNode }) {
  const show = useSnackbar();
  const session = useSession();
  const { hash } = useLocation();
  const selected = useSelectedEvent();
  const dashboard = useQuery(dashboardQuery());
  const credits = useQuery(creditsQuery());
  const chosen = useQuery({
    ...eventQuery(session, selected?.id),
    refetchInterval: ({ state }) => indexingPause([state.data]),
  });
  const newest = useEventList(newestEventQuery(session), {
    enabled: session.isPhotographer && (selected === null || chosen.data === null),
    followsIndexing: true,
  });
  const figures = dashboard.data;
  const [openedAt] = useState(() => Date.now());
  const failed = dashboard.isError || credits.isError;

  // What is there already stays; the alert says that it may be old.
  const failedToLoad = dashboard.isLoadingError || credits.isLoadingError;

  useEffect(() => {
    if (failedToLoad) show({ tone: 'error', text: t`Failed to load dashboard data` });
  }, [failedToLoad, show]);
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'center' });
  }, [hash]);

  const firstName = session.user?.name.trim().split(/\s+/u)[0] ?? '';
  const event = chosen.data ?? newest?.[0];
  // A dash after an error, because a skeleton would suggest that it is still loading.
  const figureOf = (query: { isError: boolean }, figure: string | undefined) =>
    figure ?? (query.isError ? null : undefined);
  const count = (value: number | undefined) =>
    figureOf(dashboard, value === undefined ? undefined : formatCount(value));
  const credit = (value: number | undefined) =>
    figureOf(credits, value === undefined ? undefined : formatAmount(value));

  return (
    <Page>
      <PageHeader title={greetingAt(new Date().getHours(), firstName)} subtitle={indexingText(event)}>
        {upgrade}
      </PageHeader>
      {failed && (
        <Box sx={{ mb: 4 }}>
          <Alert tone="error">
            {t`Failed to load dashboard data`}
            <Button
              size="small"
              variant="outlined"
              sx={{ ml: 3 }}
              loading={dashboard.isFetching || credits.isFetching}
              onClick={() => {
                void dashboard.refetch();
                void credits.refetch();
              }}
            >
              {t`Try again`}
            </Button>
          </Alert>
        </Box>
      )}
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
          gap: { xs: 2.5, md: 4 },
        }}
      >
        <StatCard
          label={t`Active Events`}
          figure={count(figures?.activeEvents)}
          caption={
            figures === undefined
              ? ' '
              : figures.deletedEvents > 0
                ? plural({ events: figures.deletedEvents }, { one: '# deleted', other: '# deleted' })
                : t`All events active`
          }
        />
        <StatCard
          label={t`Total Photos Uploaded`}
          figure={count(figures?.totalPhotos)}
          caption={t`Across all events`}
        />
        <StatCard
          label={t`Available Credits`}
          figure={credit(credits.data?.credits)}
          caption={credits.data ? creditsCaption(credits.data.credits, session.user?.premium === true) : ' '}
          rupees
          highlighted
        />
        <StatCard
          label={t`Total Earned`}
          figure={credit(credits.data?.total_credits_earned)}
          caption={t`Credits given or bought, not income`}
          rupees
        />
      </Box>
      <RenewalNote renewal={figures?.renewal} />
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 372px' },
          gap: 4,
          mt: 4,
          alignItems: 'start',
        }}
      >
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Card component="section" aria-labelledby="actions-title" sx={{ p: { xs: 4, md: 6 } }}>
            <Typography variant="h3" component="h2" id="actions-title">
              {t`Quick Actions`}
            </Typography>
            <Box
              sx={{
                display: 'grid',
                gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
                mt: 3.5,
                mx: -3,
                mb: -3,
              }}
            >
              <ActionLink
                to="/admin/event-registration"
                icon="plus"
                label={t`Create event`}
                hint={t`Name, date, done`}
                primary
              />
              <ActionLink
                to="/admin/events"
                icon="calendar"
                label={t`Manage events`}
                hint={t`Links, QR codes`}
              />
              <ActionLink
                to={eventScreenAddress('/admin/upload', selected?.id)}
                icon="upload"
                label={t`Upload photos`}
                hint={uploadHint(selected?.name)}
              />
              <ActionLink
                to={eventScreenAddress('/admin/gallery', selected?.id)}
                icon="grid"
                label={t`Open gallery`}
                hint={t`Every photo of an event`}
              />
            </Box>
          </Card>
          {!dashboard.isLoadingError && figures?.days !== null && (
            <ActivityCard activeDays={figures?.days} now={openedAt} />
          )}
          {!dashboard.isLoadingError && <RecentlyDeleted events={figures?.recentlyDeleted} />}
        </Box>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          {addCredits}
          <AccountSummary
            dashboard={figures}
            credits={credits.data}
            premium={session.user?.premium === true}
          />
        </Box>
      </Box>
    </Page>
  );
}
