import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { Credits, Event } from '../../shared/api/types';
import { ActionLink } from '../../shared/components/ActionLink';
import { Alert } from '../../shared/components/Alert';
import { Page, PageHeader } from '../../shared/components/Page';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { creditsQuery } from '../../shared/credits/queries';
import { eventsQuery } from '../../shared/events/queries';
import { formatAmount, formatCount, formatDayOf, formatRupees } from '../../shared/formats';
import { eventScreenAddress } from '../../shared/events/eventScreens';
import { useSelectedEvent } from '../../shared/session/selection';
import { useSession } from '../../shared/session/session';
import { ActivityCard } from './ActivityCard';
import { type Dashboard, dashboardQuery } from './queries';
import { StatCard } from './StatCard';

const lowCreditThreshold = 20;

function greetingAt(hour: number): string {
  if (hour < 5) return 'Good night';
  if (hour < 12) return 'Good morning';
  return hour < 18 ? 'Good afternoon' : 'Good evening';
}

function creditsCaption(credits: number, premium: boolean): string {
  if (premium) return 'Uploads are free with Premium';
  if (credits < lowCreditThreshold) return 'Add credits to keep uploading';
  return `Enough for ${formatCount(Math.floor(credits))} photos`;
}

function indexingText(event: Event | undefined): string {
  if (event === undefined || event.indexing.total === 0) return 'Your events, photos and credits.';
  const { indexed, total } = event.indexing;
  return `${event.name}: ${formatCount(indexed)} of ${formatCount(total)} photos searchable.`;
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
    ['Available credits', rupees(credits?.credits)],
    ['Total earned', rupees(credits?.total_credits_earned), 'Credits given or bought, not income'],
    [
      'Total spent',
      rupees(credits?.total_credits_spent),
      premium ? 'Credits for uploads; the premium plan was paid beside them, once' : 'Credits for uploads',
    ],
    ['Total events', count(dashboard?.totalEvents)],
    ['Active events', count(dashboard?.activeEvents)],
    ['Total photos', count(dashboard?.totalPhotos)],
  ];
  return (
    <Card component="section" aria-labelledby="summary-title" sx={{ p: 6 }}>
      <Typography variant="h3" component="h2" id="summary-title">
        Account Summary
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
        Payments and receipts
      </Button>
    </Card>
  );
}

function RecentlyDeleted({ events }: { events: readonly Event[] | undefined }) {
  return (
    <Card
      component="section"
      aria-labelledby="deleted-title"
      tabIndex={0}
      sx={{ p: { xs: 4, md: 6 }, overflowX: 'auto' }}
    >
      <Typography variant="h3" component="h2" id="deleted-title" sx={{ mb: 4 }}>
        Recently Deleted Events
      </Typography>
      {events === undefined ? (
        <Skeleton height={42} />
      ) : events.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          None in the last 30 days.
        </Typography>
      ) : (
        <Box
          component="table"
          sx={{
            width: '100%',
            minWidth: 520,
            borderCollapse: 'collapse',
            fontSize: 14,
            fontVariantNumeric: 'tabular-nums',
            '& th': {
              pb: 2.5,
              pr: 3,
              fontSize: 13,
              fontWeight: 500,
              textAlign: 'left',
              color: 'text.disabled',
            },
            '& td': { py: 3.25, pr: 3, color: 'text.secondary' },
            '& td:first-of-type': { color: 'text.primary', fontWeight: 600 },
            '& .end': { textAlign: 'right', pr: 0 },
            '& tbody tr': { borderTop: 1, borderColor: 'divider' },
          }}
        >
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Created</th>
              <th scope="col">Deleted</th>
              <th scope="col" className="end">
                Photos
              </th>
              <th scope="col" className="end">
                Lifetime days
              </th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <tr key={event.id}>
                <td>{event.name}</td>
                <td>{formatDayOf(event.created_at)}</td>
                <td>{formatDayOf(event.deleted_at ?? '')}</td>
                <td className="end">{formatCount(event.total_photos_uploaded)}</td>
                <td className="end">{formatCount(event.lifetime_days)}</td>
              </tr>
            ))}
          </tbody>
        </Box>
      )}
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
  const events = useQuery(eventsQuery(session));
  const figures = dashboard.data;
  const [openedAt] = useState(() => Date.now());
  const failed = dashboard.isError || credits.isError;

  // What is there already stays; the alert says that it may be old.
  const failedToLoad = dashboard.isLoadingError || credits.isLoadingError;

  useEffect(() => {
    if (failedToLoad) show({ tone: 'error', text: 'Failed to load dashboard data' });
  }, [failedToLoad, show]);
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'center' });
  }, [hash]);

  const firstName = session.user?.name.trim().split(/\s+/u)[0] ?? '';
  const event = events.data?.find(({ id }) => id === selected?.id) ?? events.data?.[0];
  // A dash after an error, because a skeleton would suggest that it is still loading.
  const figureOf = (query: { isError: boolean }, figure: string | undefined) =>
    figure ?? (query.isError ? null : undefined);
  const count = (value: number | undefined) =>
    figureOf(dashboard, value === undefined ? undefined : formatCount(value));
  const credit = (value: number | undefined) =>
    figureOf(credits, value === undefined ? undefined : formatAmount(value));

  return (
    <Page>
      <PageHeader
        title={`${greetingAt(new Date().getHours())}${firstName === '' ? '' : `, ${firstName}`}`}
        subtitle={indexingText(event)}
      >
        {upgrade}
      </PageHeader>
      {failed && (
        <Box sx={{ mb: 4 }}>
          <Alert tone="error">
            Failed to load dashboard data
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
              Try again
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
          label="Active Events"
          figure={count(figures?.activeEvents)}
          caption={
            figures === undefined
              ? ' '
              : figures.deletedEvents > 0
                ? `${formatCount(figures.deletedEvents)} deleted`
                : 'All events active'
          }
        />
        <StatCard
          label="Total Photos Uploaded"
          figure={count(figures?.totalPhotos)}
          caption="Across all events"
        />
        <StatCard
          label="Available Credits"
          figure={credit(credits.data?.credits)}
          caption={credits.data ? creditsCaption(credits.data.credits, session.user?.premium === true) : ' '}
          rupees
          highlighted
        />
        <StatCard
          label="Total Earned"
          figure={credit(credits.data?.total_credits_earned)}
          caption="Credits given or bought, not income"
          rupees
        />
      </Box>
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
              Quick Actions
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
                label="Create event"
                hint="Name, date, done"
                primary
              />
              <ActionLink to="/admin/events" icon="calendar" label="Manage events" hint="Links, QR codes" />
              <ActionLink
                to={eventScreenAddress('/admin/upload', selected?.id)}
                icon="upload"
                label="Upload photos"
                hint={selected === null ? 'Choose an event first' : `To ${selected.name}`}
              />
              <ActionLink
                to={eventScreenAddress('/admin/gallery', selected?.id)}
                icon="grid"
                label="Open gallery"
                hint="Every photo of an event"
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
