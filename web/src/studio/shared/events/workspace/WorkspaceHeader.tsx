import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import type { Event } from '../../../../platform/api/types';
import { Icon } from '../../../../ui/Icon';
import { useCopyToClipboard } from '../../../../ui/useCopyToClipboard';
import { useDocumentTitle } from '../../../../ui/useDocumentTitle';
import { VisuallyHidden } from '../../../../ui/VisuallyHidden';
import { formatDayOf, formatShortDate } from '../../../../platform/shortDates';
import { clientSelectionsQuery } from '../../notifications/clientSelections';
import { byGuest, guestPhotosQuery } from '../../notifications/guestPhotos';
import { newRequestsQuery } from '../../notifications/guestRequests';
import { useSession } from '../../../../platform/session/session';
import { eventScreenAddress } from '../eventScreens';
import { type LinkedEvent, useEventUrl } from '../eventUrls';
import { manages } from '../sharing/roles';
import { GuestViewChip } from './GuestViewChip';
import { type Tab, tabPathOf, tabs } from './tabs';

const wideOnly = { display: { xs: 'none', md: 'inline-flex' } } as const;

function CopyLink({ event }: { event: LinkedEvent }) {
  const { url } = useEventUrl(event);
  const { copy, copied, failed } = useCopyToClipboard(url);
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Icon name={copied ? 'check' : 'copy'} />}
        onClick={copy}
        sx={wideOnly}
      >
        {copied ? t`Copied` : t`Copy link`}
      </Button>
      <VisuallyHidden role="status">
        {copied ? t`URL copied to clipboard!` : failed ? t`The URL could not be copied.` : ''}
      </VisuallyHidden>
    </>
  );
}

/** The one accented action of an event; at the foot of a phone's photos. */
function UploadLink({ eventId, pathname }: { eventId: string; pathname: string }) {
  if (pathname === '/admin/upload') return null;
  const atFoot = tabPathOf(pathname) === '/admin/gallery';
  return (
    <Button
      component={Link}
      to={eventScreenAddress('/admin/upload', eventId)}
      variant="contained"
      color="primary"
      startIcon={<Icon name="upload" />}
      sx={(theme) => ({
        [theme.breakpoints.down('md')]: atFoot
          ? {
              position: 'fixed',
              insetInline: 16,
              bottom: 'max(16px, env(safe-area-inset-bottom))',
              zIndex: theme.zIndex.appBar - 2,
              minHeight: 56,
              borderRadius: '18px',
              fontSize: 17,
              boxShadow: theme.vars.palette.shadow.menu,
            }
          : { display: 'none' },
      })}
    >
      {t`Upload Photos`}
    </Button>
  );
}

/** The requests of guests that the photographer has not seen. */
function useNewRequests(eventId: string): number {
  const { data } = useQuery(newRequestsQuery(useSession()));
  return data?.filter(({ event_id }) => event_id === eventId).length ?? 0;
}

/** The guests whose photos wait for the photographer. */
function useWaitingGuests({ id, takes_guest_photos, role }: Event): number {
  const { data } = useQuery({ ...guestPhotosQuery(id), enabled: takes_guest_photos && manages(role) });
  return byGuest(data?.photos ?? []).length;
}

/** The clients who have finished choosing since somebody looked at it. */
function useFinishedClients({ id, role }: Event): number {
  const { data } = useQuery({ ...clientSelectionsQuery(id), enabled: manages(role) });
  return data?.filter(({ is_new }) => is_new).length ?? 0;
}

function TabLink({
  tab,
  eventId,
  current,
  requests,
  guests,
  clients,
}: {
  tab: Tab;
  eventId: string;
  current: boolean;
  requests: number;
  /** Guests whose photos wait. */
  guests: number;
  /** Clients who have finished choosing. */
  clients: number;
}) {
  const count = requests + guests + clients;
  const { pathname, search } = useLocation();
  const link = useRef<HTMLAnchorElement>(null);
  // Where the tabs scroll, the current one is in sight.
  useEffect(() => {
    const nav = link.current?.parentElement;
    if (!current || link.current === null || nav == null || nav.scrollWidth <= nav.clientWidth) return;
    const { left, right } = link.current.getBoundingClientRect();
    const bounds = nav.getBoundingClientRect();
    if (left < bounds.left) nav.scrollLeft += left - bounds.left - 16;
    else if (right > bounds.right) nav.scrollLeft += right - bounds.right + 16;
  }, [current]);
  return (
    <Box
      component={Link}
      ref={link}
      // Back from the trash are the photos that were shown.
      to={
        pathname === '/admin/trash' && current
          ? { pathname: tab.path, search }
          : eventScreenAddress(tab.path, eventId)
      }
      aria-current={current ? 'page' : undefined}
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: 44,
        flex: 'none',
        fontSize: 15,
        fontWeight: 500,
        whiteSpace: 'nowrap',
        textDecoration: 'none',
        color: theme.vars.palette.text.secondary,
        '&:hover': { color: theme.vars.palette.text.primary },
        '&:focus-visible': { outlineOffset: -3 },
        '&[aria-current]': {
          fontWeight: 600,
          color: theme.vars.palette.text.primary,
          boxShadow: `inset 0 -2px 0 ${theme.vars.palette.primary.main}`,
        },
      })}
    >
      {tab.label}
      {count > 0 && (
        <Box
          component="span"
          sx={(theme) => ({
            minWidth: 20,
            height: 20,
            px: 1.5,
            borderRadius: '10px',
            fontSize: 12,
            fontWeight: 600,
            lineHeight: '20px',
            textAlign: 'center',
            color: theme.vars.palette.accentText,
            backgroundColor: theme.vars.palette.soft.accent,
          })}
        >
          <VisuallyHidden>
            {[
              requests > 0 &&
                plural(requests, { one: '# new request of a guest', other: '# new requests of guests' }),
              guests > 0 &&
                plural(guests, {
                  one: 'Photos from # guest to look at',
                  other: 'Photos from # guests to look at',
                }),
              clients > 0 &&
                plural(clients, {
                  one: '# client has finished choosing',
                  other: '# clients have finished choosing',
                }),
            ]
              .filter((part) => part !== false)
              .join(', ')}
          </VisuallyHidden>
          <span aria-hidden="true">{count}</span>
        </Box>
      )}
    </Box>
  );
}

/** What an event is: its name, how many photos it has, what guests see, when it is; and the way to each of its screens. */
export function WorkspaceHeader({ event }: { event: Event }) {
  const { pathname } = useLocation();
  const managed = manages(event.role);
  const current = tabPathOf(pathname);
  const newRequests = useNewRequests(event.id);
  const waitingGuests = useWaitingGuests(event);
  const finishedClients = useFinishedClients(event);
  const shown = managed ? tabs() : tabs().slice(0, 1);
  const tab = shown.find(({ path }) => path === current);
  useDocumentTitle(tab === undefined || tab === shown[0] ? event.name : `${tab.label} · ${event.name}`);
  // By the letter of the specification, without separators.
  const { total } = event.indexing;
  return (
    <Box
      sx={(theme) => ({
        backgroundColor: theme.vars.palette.background.paper,
        borderBottom: 1,
        borderColor: 'divider',
      })}
    >
      <Box sx={{ maxWidth: 1216, mx: 'auto', px: { xs: 4, md: 8 }, pt: 4.5 }}>
        <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 4 }}>
          <Box
            sx={{
              flex: 1,
              minWidth: 0,
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              columnGap: 4,
              rowGap: 1.5,
              minHeight: { md: 44 },
            }}
          >
            <Typography
              variant="h1"
              // The screen of uploads has a heading of its own.
              component={pathname === '/admin/upload' ? 'p' : 'h1'}
              sx={{
                fontSize: { xs: 25, md: 28 },
                lineHeight: 1.1,
                letterSpacing: '-.024em',
                overflowWrap: 'anywhere',
              }}
            >
              {event.name}
            </Typography>
            <Box
              sx={{
                display: 'flex',
                flexWrap: { xs: 'wrap', md: 'nowrap' },
                alignItems: 'center',
                columnGap: 3.5,
                rowGap: 1.5,
                minWidth: 0,
                whiteSpace: 'nowrap',
                fontSize: 14,
                color: 'text.secondary',
              }}
            >
              {managed && (
                <>
                  <Chip label={plural(total, { one: `${total} photos`, other: `${total} photos` })} />
                  <GuestViewChip event={event} />
                </>
              )}
              <Box component="span" sx={wideOnly}>
                {formatShortDate(event.date)}
              </Box>
              {event.indexing.total > 0 && typeof event.expires_at === 'string' && (
                <Box component="span" sx={{ display: { xs: 'none', lg: 'inline-flex' } }}>
                  {t`until ${{ date: formatDayOf(event.expires_at, event.time_zone) }}`}
                </Box>
              )}
            </Box>
          </Box>
          <Box sx={{ display: 'flex', flex: 'none', gap: 2 }}>
            {managed && <CopyLink event={event} />}
            <UploadLink eventId={event.id} pathname={pathname} />
          </Box>
        </Box>
        <Box
          component="nav"
          aria-label={t`This event`}
          sx={{
            display: 'flex',
            gap: { xs: 5.5, md: 7 },
            mt: { xs: 3.5, md: 2 },
            mx: { xs: -4, md: 0 },
            px: { xs: 4, md: 0 },
            overflowX: 'auto',
            scrollbarWidth: 'none',
          }}
        >
          {shown.map((each) => (
            <TabLink
              key={each.path}
              tab={each}
              eventId={event.id}
              current={each.path === current}
              requests={each.path === '/admin/guests' ? newRequests : 0}
              guests={each.path === '/admin/guests' ? waitingGuests : 0}
              clients={each.path === '/admin/guests' ? finishedClients : 0}
            />
          ))}
        </Box>
      </Box>
    </Box>
  );
}
