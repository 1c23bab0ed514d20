import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { revokeToken } from '../../shared/api/authorizedFetch';
import type { BarTone } from '../../shared/components/barTone';
import { eventScreenAddress } from '../../shared/events/eventScreens';
import { eventQuery } from '../../shared/events/queries';
import { confirmDiscardUnsavedWork } from '../../shared/session/unsavedWork';
import { reconcileSelection, useSelectedEvent } from '../../shared/session/selection';
import type { Session } from '../../shared/session/session';
import { clearSession, storedReturn } from '../../shared/storage';
import { AccountMenu, AccountMenuItems } from './AccountMenu';
import { AppBar, type BarLink } from './AppBar';
import { EventSwitcher } from './EventSwitcher';
import { NotificationBell } from './NotificationBell';
import { useRequestNotifications } from './useRequestNotifications';

// With the event in the address, a link opened in another tab leads to the event of this one.
const linksFor = (eventId: string | undefined, isAdministrator: boolean): BarLink[] => [
  { label: t`Dashboard`, to: '/admin/overview' },
  { label: t`Events`, to: '/admin/events' },
  { label: t`Upload`, to: eventScreenAddress('/admin/upload', eventId) },
  { label: t`Gallery`, to: eventScreenAddress('/admin/gallery', eventId) },
  ...(isAdministrator ? [{ label: t`Administration`, to: '/admin/administration' }] : []),
];

export default function PhotographerBar({ tone, session }: { tone: BarTone; session: Session }) {
  const navigate = useNavigate();
  useRequestNotifications(session);
  const selected = useSelectedEvent();
  const selectedId = selected?.id;
  const current = useQuery(eventQuery(session, selectedId));
  useEffect(() => {
    if (selectedId !== undefined && current.data !== undefined) reconcileSelection(selectedId, current.data);
  }, [selectedId, current.data]);

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
      links={linksFor(selected?.id, session.user?.is_admin === true)}
      tools={
        <>
          <EventSwitcher
            onOpen={() => {
              if (selectedId !== undefined) void current.refetch();
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
