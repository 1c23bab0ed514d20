import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { revokeToken } from '../../platform/api/authorizedFetch';
import type { BarTone } from '../../ui/barTone';
import { eventScreenAddress, isEventScreen, useEventId } from '../../studio/shared/events/eventScreens';
import { eventQuery } from '../../studio/shared/events/events';
import { confirmDiscardUnsavedWork } from '../../platform/session/unsavedWork';
import { deselectEvent } from '../../platform/session/selection';
import type { Session } from '../../platform/session/session';
import { clearSession, storedReturn } from '../../platform/storage/storage';
import { AccountMenu, AccountMenuItems } from './AccountMenu';
import { AppBar, type BarLink } from './AppBar';
import { EventSwitcher } from './EventSwitcher';
import { NotificationBell } from './NotificationBell';
import { useRequestNotifications } from './useRequestNotifications';

// With the event in the address, a link opened in another tab leads to the event of this one.
const linksFor = (eventId: string | undefined, isAdministrator: boolean, pathname: string): BarLink[] => [
  { label: t`Dashboard`, to: '/admin/overview' },
  { label: t`Events`, to: '/admin/events' },
  { label: t`Upload`, to: eventScreenAddress('/admin/upload', eventId) },
  {
    label: t`Gallery`,
    to: eventScreenAddress('/admin/gallery', eventId),
    // It leads to the photos of the event, beside which its other screens are.
    current: isEventScreen(pathname) && pathname !== '/admin/upload',
  },
  ...(isAdministrator ? [{ label: t`Administration`, to: '/admin/administration' }] : []),
];

export default function PhotographerBar({ tone, session }: { tone: BarTone; session: Session }) {
  const navigate = useNavigate();
  useRequestNotifications(session);
  const { pathname } = useLocation();
  const { id } = useEventId();
  const { data: event, refetch } = useQuery(eventQuery(session, id));
  const gone = event === null || event?.deleting === true;
  useEffect(() => {
    if (id !== undefined && gone) deselectEvent(id);
  }, [id, gone]);

  const logout = async () => {
    if (!(await confirmDiscardUnsavedWork())) return;
    if (session.token !== null) revokeToken(session.token);
    clearSession();
    storedReturn.remove();
    await navigate('/login');
  };

  return (
    <AppBar
      tone={tone}
      logoTarget="/admin/overview"
      links={linksFor(id, session.user?.is_admin === true, pathname)}
      tools={
        <>
          <EventSwitcher
            event={event ?? undefined}
            onOpen={() => {
              if (id !== undefined) void refetch();
            }}
          />
          <NotificationBell />
          <AccountMenu name={session.user?.name ?? ''} onLogout={() => void logout()} />
        </>
      }
      menuItems={<AccountMenuItems onLogout={() => void logout()} />}
    />
  );
}
