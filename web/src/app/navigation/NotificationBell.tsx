import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { focusAfterRemoval, removalRegion, removesEntry } from '../../ui/focusAfterRemoval';
import { Icon, type IconName } from '../../ui/Icon';
import { guestRequestsAddress } from '../../studio/shared/events/eventScreens';
import { english } from '../../platform/i18n/languages';
import { useNotifications } from '../../studio/shared/notifications/context';
import { guestRequestsKey, useSeeRequests } from '../../studio/shared/notifications/guestRequests';
import { countUnread, type Notification } from '../../studio/shared/notifications/notifications';

const maxListed = 10;
const maxBadgeCount = 99;
const removeDelay = 100;

const icons: Record<Notification['type'], IconName> = {
  success: 'check',
  upload: 'upload',
  error: 'alert',
  deletion: 'trash',
  requests: 'eyeOff',
};
const tones = {
  success: 'success',
  upload: 'success',
  error: 'error',
  deletion: 'accent',
  requests: 'accent',
} as const;

const headerAction = { px: 2, minWidth: 0, whiteSpace: 'nowrap' } as const;

const timeOptions = { hour: '2-digit', minute: '2-digit' } as const;
const dateTimeOptions = { dateStyle: 'full', timeStyle: 'short' } as const;

/** In the form of the language; in English, of the browser's own region. */
const formatTime = (time: number, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(i18n.locale === english.tag ? undefined : i18n.locales, options).format(time);

function Entry({
  notification,
  onSelect,
  onRemove,
}: {
  notification: Notification;
  onSelect: () => void;
  onRemove: () => void;
}) {
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'flex-start',
        borderRadius: '10px',
        '&:hover': { backgroundColor: theme.vars.palette.hover },
      })}
    >
      <EntryButton notification={notification} onSelect={onSelect} />
      <IconButton
        {...removesEntry}
        aria-label={t`Remove ${{ name: notification.title }}`}
        onClick={({ currentTarget }) => {
          focusAfterRemoval(currentTarget);
          onRemove();
        }}
        sx={{ flex: 'none', color: 'text.disabled' }}
      >
        <Icon name="close" size={16} />
      </IconButton>
    </Box>
  );
}

function EntryButton({ notification, onSelect }: { notification: Notification; onSelect: () => void }) {
  const tone = tones[notification.type];
  return (
    <ButtonBase
      component="button"
      onClick={onSelect}
      sx={{
        display: 'grid',
        gridTemplateColumns: '36px minmax(0, 1fr)',
        gap: 3,
        alignItems: 'start',
        flex: 1,
        minWidth: 0,
        p: '10px 0 10px 10px',
        borderRadius: '10px',
        textAlign: 'left',
        fontSize: 14,
        lineHeight: 1.35,
      }}
    >
      <Box
        component="span"
        sx={(theme) => ({
          width: 36,
          height: 36,
          borderRadius: '50%',
          display: 'grid',
          placeItems: 'center',
          color: tone === 'accent' ? theme.vars.palette.accentText : theme.vars.palette[tone].main,
          backgroundColor: theme.vars.palette.soft[tone],
        })}
      >
        <Icon name={icons[notification.type]} />
      </Box>
      <Box component="span" sx={{ minWidth: 0 }}>
        <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          {!notification.read && (
            <Box
              component="span"
              role="img"
              aria-label={t`Unread`}
              sx={{ flex: 'none', width: 8, height: 8, borderRadius: '50%', backgroundColor: 'primary.main' }}
            />
          )}
          <Box component="b" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
            {notification.title}
          </Box>
        </Box>
        <Box
          component="span"
          sx={{
            display: '-webkit-box',
            WebkitLineClamp: '4',
            WebkitBoxOrient: 'vertical',
            overflow: 'hidden',
            mt: 0.5,
            color: 'text.secondary',
            overflowWrap: 'anywhere',
          }}
        >
          {notification.message}
        </Box>
        <Box
          component="time"
          dateTime={new Date(notification.timestamp).toISOString()}
          title={formatTime(notification.timestamp, dateTimeOptions)}
          sx={{ display: 'block', mt: 1, fontSize: 12, color: 'text.disabled' }}
        >
          {formatTime(notification.timestamp, timeOptions)}
        </Box>
      </Box>
    </ButtonBase>
  );
}

export function NotificationBell() {
  const { notifications, markRead, markAllRead, remove, clear } = useNotifications();
  const navigate = useNavigate();
  const client = useQueryClient();
  const seeRequests = useSeeRequests();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const unread = countUnread(notifications);
  const more = notifications.length - maxListed;

  // Requests are read on every device of the photographer.
  const see = (read: readonly Notification[]) => {
    for (const notification of read) {
      if (notification.type !== 'requests' || notification.read) continue;
      void seeRequests({ id: notification.newest, eventId: notification.eventId });
    }
  };
  const select = (notification: Notification) => {
    markRead(notification.id);
    see([notification]);
    if (notification.type === 'requests') {
      setAnchor(null);
      // The gallery may be open with those of before.
      void client.invalidateQueries({ queryKey: guestRequestsKey(notification.eventId) });
      void navigate(guestRequestsAddress(notification.eventId));
    }
    if (notification.type === 'deletion' && notification.status !== 'in_progress') {
      setTimeout(() => remove(notification.id), removeDelay);
    }
  };

  return (
    <>
      <IconButton
        aria-label={
          unread === 0
            ? t`Notifications`
            : plural(unread, { one: 'Notifications, # unread', other: 'Notifications, # unread' })
        }
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ color: 'inherit' }}
      >
        <Badge badgeContent={unread === 0 ? null : unread} max={maxBadgeCount} color="primary">
          <Icon name="bell" size={24} />
        </Badge>
      </IconButton>
      <Popover
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: {
            ...removalRegion,
            role: 'dialog',
            'aria-label': t`Notifications`,
            sx: { mt: 1, p: 1.5, width: 380, outline: 'none' },
          },
        }}
      >
        {notifications.length === 0 ? (
          <Typography variant="body2" color="textSecondary" sx={{ py: 8, textAlign: 'center' }}>
            {t`No notifications`}
          </Typography>
        ) : (
          <>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', pl: 2.5, py: 1 }}>
              <Typography variant="h3" component="h2" sx={{ flex: 1, fontSize: 18 }}>
                {t`Notifications`}
              </Typography>
              {unread > 0 && (
                <Button
                  size="small"
                  onClick={({ currentTarget }) => {
                    focusAfterRemoval(currentTarget);
                    markAllRead();
                    see(notifications);
                  }}
                  sx={headerAction}
                >
                  {t`Mark all read`}
                </Button>
              )}
              <Button
                size="small"
                onClick={({ currentTarget }) => {
                  focusAfterRemoval(currentTarget);
                  clear();
                  see(notifications);
                }}
                sx={headerAction}
              >
                {t`Clear All`}
              </Button>
            </Box>
            <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.5 }}>
              {notifications.slice(0, maxListed).map((notification) => (
                <Entry
                  key={notification.id}
                  notification={notification}
                  onSelect={() => select(notification)}
                  onRemove={() => {
                    remove(notification.id);
                    see([notification]);
                  }}
                />
              ))}
            </Box>
            {more > 0 && (
              <Typography variant="caption" component="p" color="textDisabled" sx={{ px: 2.5, py: 2 }}>
                {plural(more, { one: '... and # more', other: '... and # more' })}
              </Typography>
            )}
          </>
        )}
      </Popover>
    </>
  );
}
